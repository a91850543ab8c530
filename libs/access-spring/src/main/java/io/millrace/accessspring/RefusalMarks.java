package io.millrace.accessspring;

import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells the audit trail about a response that refuses. A response with the status 401 or 403 is recorded as a refusal unless
 * it is marked otherwise.
 */
public final class RefusalMarks {

    private static final String MARK = RefusalMarks.class.getName();

    /**
     * A refusal by a handler.
     *
     * @param part which part of the request was refused, such as a statement, "" for all of it
     */
    record Mark(String part, String reason, boolean ours) {

        static final Mark UNKNOWN = new Mark("", "", true);
        static final Mark DONE = new Mark("", "", false);
    }

    private RefusalMarks() {}

    /**
     * Marks a request as refused, whatever the status of the response.
     *
     * @param part which part of the request was refused, such as the kind of a statement
     * @param reason which right is missing
     */
    public static void refused(ServerWebExchange exchange, String part, String reason) {
        exchange.getAttributes().put(MARK, new Mark(part, reason, true));
    }

    /** Marks a request whose status is not of this service's making: it comes from another service or from a function. */
    public static void passedOn(ServerWebExchange exchange) {
        exchange.getAttributes().put(MARK, Mark.DONE);
    }

    static @Nullable Mark of(ServerWebExchange exchange) {
        return exchange.getAttribute(MARK);
    }
}
