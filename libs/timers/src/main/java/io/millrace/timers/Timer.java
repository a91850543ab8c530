package io.millrace.timers;

import org.jspecify.annotations.Nullable;

/**
 * A timer as it is stored.
 *
 * @param due the millisecond since 1970 at which it is fired next
 * @param firstDue the millisecond for which it was created; earlier than {@code due} after a failure
 * @param version another one each time a timer of this id is created
 * @param failures how often its callback has failed
 * @param staleAfter as in {@link NewTimer}
 * @param opaque as in {@link NewTimer}
 * @param context as in {@link NewTimer}
 * @param trace as in {@link NewTimer}
 */
public record Timer(
        TimerId id,
        long due,
        long firstDue,
        long version,
        int failures,
        long staleAfter,
        String opaque,
        @Nullable String context,
        String trace) {

    /** A timer that is not traced. */
    public Timer(
            TimerId id,
            long due,
            long firstDue,
            long version,
            int failures,
            long staleAfter,
            String opaque,
            @Nullable String context) {
        this(id, due, firstDue, version, failures, staleAfter, opaque, context, "");
    }

    public static Timer first(NewTimer timer, long version) {
        return new Timer(
                timer.id(),
                timer.due(),
                timer.due(),
                version,
                0,
                timer.staleAfter(),
                timer.opaque(),
                timer.context(),
                timer.trace());
    }

    /** Returns this timer as it is after one more failure of its callback. */
    public Timer failedUntil(long nextDue) {
        return new Timer(id, nextDue, firstDue, version, failures + 1, staleAfter, opaque, context, trace);
    }

    /** Returns this timer for the next run of its schedule, which no trace led to. */
    public Timer rescheduled(long nextDue, long nextStaleAfter, String nextOpaque) {
        return new Timer(id, nextDue, nextDue, version, 0, nextStaleAfter, nextOpaque, context);
    }

    public Timer movedTo(long nextDue) {
        return new Timer(id, nextDue, firstDue, version, failures, staleAfter, opaque, context, trace);
    }

    /** Returns whether it should be skipped at this moment. */
    public boolean staleAt(long millis) {
        return staleAfter != NewTimer.NEVER_STALE && millis > staleAfter;
    }
}
