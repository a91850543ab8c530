package io.millrace.documents;

import io.millrace.traces.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a mutation came from: which function instance made it, for the suppression of a function's own writes and the loop guard,
 * and the trace that it belongs to.
 *
 * @param instance the writing function's instance id; has neither colon nor line break and does not begin with an exclamation
 *     mark. Empty for the write of a client, which has an origin only if it is traced
 * @param hops how many functions in a row led to this mutation, from 1; 0 for the write of a client
 * @param trace the span that made the mutation, or null if it is not traced
 */
public record Origin(String instance, int hops, @Nullable TraceContext trace) {

    /** Marks the text of an origin that begins with a trace. */
    private static final char TRACED = '!';

    /** What a client's write has in place of its hops, of which there are none: earlier programs read at least one. */
    private static final int NO_HOPS = 1;

    public Origin {
        boolean client = instance.isEmpty() && hops == 0 && trace != null;
        if (!client) {
            check(instance, hops);
        }
    }

    /** Of a mutation that is not traced. */
    public Origin(String instance, int hops) {
        this(instance, hops, null);
    }

    /** Returns the origin of a client's write that is traced. */
    public static Origin ofClient(TraceContext trace) {
        return new Origin("", 0, trace);
    }

    private static void check(String instance, int hops) {
        if (instance.isEmpty()
                || instance.charAt(0) == TRACED
                || instance.indexOf(':') >= 0
                || instance.indexOf('\n') >= 0) {
            throw new IllegalArgumentException(
                    "An instance id has characters, but no colon or line break, and does not begin with '!': "
                            + instance);
        }
        if (instance.length() > Limits.MAX_ORIGIN_CHARS) {
            throw new IllegalArgumentException("An instance id has at most %d characters, not %d"
                    .formatted(Limits.MAX_ORIGIN_CHARS, instance.length()));
        }
        if (hops < 1) {
            throw new IllegalArgumentException("Hops start at 1: " + hops);
        }
    }

    /** Returns a copy with another span. */
    public Origin withTrace(@Nullable TraceContext span) {
        return new Origin(instance, hops, span);
    }

    /** Returns the text that is stored: {@code <instance>:<hops>}, after an exclamation mark and the trace if there is one. */
    public String text() {
        TraceContext span = trace;
        return span == null
                ? instance + ':' + hops
                : TRACED + span.text() + instance + ':' + (instance.isEmpty() ? NO_HOPS : hops);
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @return null for an empty text
     * @throws IllegalArgumentException if it is not the text of an origin
     */
    public static @Nullable Origin parse(String text) {
        if (text.isEmpty()) {
            return null;
        }
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("Origin without hops");
        }
        int hops = Integer.parseInt(text, colon + 1, text.length(), 10);
        if (text.charAt(0) != TRACED) {
            return new Origin(text.substring(0, colon), hops);
        }
        int begin = 1 + TraceContext.TEXT_CHARS;
        if (colon < begin) {
            throw new IllegalArgumentException("Origin with a trace that is too short");
        }
        TraceContext span = TraceContext.parse(text.substring(1, begin));
        return colon == begin ? ofClient(span) : new Origin(text.substring(begin, colon), hops, span);
    }
}
