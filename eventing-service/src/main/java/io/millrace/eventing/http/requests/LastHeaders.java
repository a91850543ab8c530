package io.millrace.eventing.http.requests;

import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Headers that the response of a failure has, too: that one begins without headers, so these are set at the end. */
final class LastHeaders {

    private LastHeaders() {}

    static void set(ServerHttpResponse response, Consumer<HttpHeaders> change) {
        response.beforeCommit(() -> Mono.fromRunnable(() -> change.accept(response.getHeaders())));
    }
}
