package io.millrace.subdocservice.kv;

import io.millrace.memcached.Response;
import io.millrace.memcached.Status;

/** Ends a request with an answer that says why. */
final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Response response;

    private Refused(Response response) {
        super(response.status().name(), null, false, false);
        this.response = response;
    }

    static Refused of(Status status) {
        return new Refused(Response.of(status));
    }

    static Refused of(Status status, String context) {
        return new Refused(Response.error(status, context));
    }

    static Refused with(Response response) {
        return new Refused(response);
    }

    Response response() {
        return response;
    }
}
