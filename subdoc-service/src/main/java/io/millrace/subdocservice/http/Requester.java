package io.millrace.subdocservice.http;

import io.millrace.access.Subject;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Tells who has sent a request. */
@FunctionalInterface
public interface Requester {

    Subject subject(ServerRequest request);
}
