package io.millrace.handler.host;

import org.jspecify.annotations.Nullable;

/**
 * A timer that code wants to have.
 *
 * @param callback the name of a function that the code declares
 * @param dueMillis when to call it, in milliseconds since 1970; may be in the past
 * @param reference what tells the timers of one callback apart, null to have one made
 * @param context what to call it with, as JSON, or null for undefined
 * @param skipAfterMillis when it is not worth calling any more, in milliseconds since 1970, or {@link #NEVER}
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

    /** A timer that is about no document. */
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
