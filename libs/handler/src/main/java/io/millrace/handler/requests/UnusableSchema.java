package io.millrace.handler.requests;

/** A setting {@code openapi} that cannot be used; the message says why. */
public final class UnusableSchema extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableSchema(String why) {
        super("Setting 'openapi' cannot be used: %s.".formatted(why));
    }
}
