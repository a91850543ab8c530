package io.millrace.handler.sandbox;

import io.millrace.json.MalformedJson;
import org.graalvm.polyglot.PolyglotException;

/** What caused the failure of an invocation that was not stopped from outside. */
public enum Fault {
    /** The code, or its document. */
    CODE,
    /** The code, by using up the heap. */
    MEMORY,
    /** The engine or this module: nothing afterwards can be trusted. */
    ENGINE;

    private static final String UNSUPPORTED = "com.oracle.truffle.api.dsl.UnsupportedSpecializationException";
    private static final String STACK_OVERFLOW = "RangeError: Maximum call stack size exceeded";

    public static Fault of(Throwable thrown) {
        if (thrown instanceof PolyglotException e) {
            if (e.isResourceExhausted()) {
                return isStackOverflow(e) ? CODE : MEMORY;
            }
            if (e.isHostException()) {
                return of(e.asHostException());
            }
            if (isUnsupported(e)) {
                return CODE;
            }
            return e.isGuestException() && !e.isInternalError() && !e.isInterrupted() ? CODE : ENGINE;
        }
        return switch (thrown) {
            case MalformedJson e -> CODE;
            case StackOverflowError e -> CODE;
            case OutOfMemoryError e -> MEMORY;
            default -> ENGINE;
        };
    }

    /**
     * Returns whether the engine met a value for which an operation has no case, before it did anything: a few of its
     * functions, such as Array.prototype.shift called on a view by way of Function.prototype.call, return what they
     * should have converted.
     */
    private static boolean isUnsupported(PolyglotException e) {
        return e.isInternalError() && String.valueOf(e.getMessage()).contains(UNSUPPORTED);
    }

    /** Returns the message for a fault of the code or its document. */
    public static String messageOf(Throwable thrown) {
        return switch (thrown) {
            case StackOverflowError e -> STACK_OVERFLOW;
            case PolyglotException e when isStackOverflow(e) -> STACK_OVERFLOW;
            case PolyglotException e when isUnsupported(e) -> "TypeError: The engine cannot do this with this value";
            case MalformedJson e -> "SyntaxError: The document is not valid JSON: " + e.getMessage();
            default -> String.valueOf(thrown.getMessage());
        };
    }

    private static boolean isStackOverflow(PolyglotException e) {
        return e.isResourceExhausted()
                        && String.valueOf(e.getMessage())
                                .toLowerCase(java.util.Locale.ROOT)
                                .contains("stack")
                || e.isHostException() && e.asHostException() instanceof StackOverflowError;
    }
}
