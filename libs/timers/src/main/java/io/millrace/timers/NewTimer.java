package io.millrace.timers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A timer to be created.
 *
 * @param due milliseconds since 1970, from 0 to {@link TimerLimits#LATEST_DUE}; a moment in the past is due at once
 * @param staleAfter the millisecond after which it is not worth firing any more, or {@link #NEVER_STALE}
 * @param opaque a word of the user's that the callback gets, or an empty text
 * @param context what the callback gets, as JSON, or null for undefined
 * @param trace the span that creates the timer, as text; "" if it is not traced
 */
public record NewTimer(
        TimerId id,
        long due,
        long staleAfter,
        String opaque,
        @Nullable String context,
        String trace) {

    public static final long NEVER_STALE = 0;

    private static final long LATEST = TimerLimits.LATEST_DUE.toEpochMilli();

    /**
     * Checks and completes what a handler asks for.
     *
     * @param reference null for one that is not used anywhere else
     * @param contextLimit in bytes of UTF-8
     * @throws TimersException {@code CONTEXT_TOO_LARGE}, {@code INVALID_ID}
     */
    public static NewTimer of(
            String callback,
            Instant date,
            @Nullable String reference,
            @Nullable String context,
            int contextLimit,
            References references) {
        if (context != null && context.getBytes(UTF_8).length > contextLimit) {
            throw TimersException.contextTooLarge(contextLimit);
        }
        TimerId id = new TimerId(callback, reference == null ? references.next() : reference);
        return new NewTimer(id, millis(date), NEVER_STALE, "", context);
    }

    /** A timer that is not traced. */
    public NewTimer(TimerId id, long due, long staleAfter, String opaque, @Nullable String context) {
        this(id, due, staleAfter, opaque, context, "");
    }

    public NewTimer {
        due = due(due);
    }

    /** Returns the moment for which a timer is set that is wanted for this one, in milliseconds. */
    public static long due(long wanted) {
        return Math.clamp(wanted, 0, LATEST);
    }

    /** Returns the same timer that is skipped when it cannot be fired by then. */
    public NewTimer staleAfter(Instant moment) {
        return new NewTimer(id, due, Math.max(1, millis(moment)), opaque, context, trace);
    }

    /** Returns the same timer with an opaque word. */
    public NewTimer opaque(String word) {
        return new NewTimer(id, due, staleAfter, word, context, trace);
    }

    /** Returns the same timer, created by a span. */
    public NewTimer trace(String span) {
        return new NewTimer(id, due, staleAfter, opaque, context, span);
    }

    private static long millis(Instant moment) {
        if (moment.isAfter(TimerLimits.LATEST_DUE)) {
            return LATEST;
        }
        return moment.isBefore(Instant.EPOCH) ? 0 : roundedUp(moment);
    }

    /** A timer is never early, also not by the fraction of a millisecond. */
    private static long roundedUp(Instant moment) {
        return moment.plusNanos(999_999).toEpochMilli();
    }
}
