package io.millrace.handler.host;

import org.jspecify.annotations.Nullable;

/**
 * A timer that code creates.
 *
 * @param callback the name of a function that the code declares
 * @param dueMillis when to call it, in milliseconds since 1970; may be in the past
 * @param reference distinguishes the timers of one callback; null to generate one
 * @param context what to call it with, as JSON, or null for undefined
 * @param skipAfterMillis when it is no longer worth calling, in milliseconds since 1970, or {@link #NEVER}
 * @param opaque the second argument of the callback when it is not empty
 * @param ofDocument whether the reference is the id of a document that the timer is about
 */
public record TimerCall(
        String callback,
        long dueMillis,
        @Nullable String reference,
        @Nullable String context,
        long skipAfterMillis,
        String opaque,
        boolean ofDocument) {

    public static final long NEVER = Long.MAX_VALUE;

    /** A timer that is not about a document. */
    public TimerCall(
            String callback,
            long dueMillis,
            @Nullable String reference,
            @Nullable String context,
            long skipAfterMillis,
            String opaque) {
        this(callback, dueMillis, reference, context, skipAfterMillis, opaque, false);
    }
}
