package io.millrace.accessspring;

import io.millrace.access.Subject;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;

/** Tells handlers who asks. */
public final class Subjects {

    private static final String ATTRIBUTE = Subject.class.getName();

    private Subjects() {}

    /** Returns the subject of a request that passed the gate; anonymous for one that did not come to it. */
    public static Subject of(ServerWebExchange exchange) {
        return exchange.getAttributeOrDefault(ATTRIBUTE, Subject.anonymous());
    }

    /** Returns the subject of a request that passed the gate; anonymous for one that did not come to it. */
    public static Subject of(ServerRequest request) {
        return of(request.exchange());
    }

    static void set(ServerWebExchange exchange, Subject subject) {
        exchange.getAttributes().put(ATTRIBUTE, subject);
    }
}
