package io.millrace.timers;

import java.util.Comparator;

/**
 * A timer whose callback failed for the last time.
 *
 * @param timer as it was when it was given up; its version names the letter
 * @param diedAt milliseconds since 1970
 * @param error what the callback failed with
 */
public record DeadLetter(Timer timer, long diedAt, String error) {

    /** The order in which letters are listed. */
    public static final Comparator<DeadLetter> NEWEST_FIRST = Comparator.comparing(DeadLetter::diedAt)
            .thenComparing(letter -> letter.timer().version())
            .reversed();

    /** Returns an error text of at most {@link TimerLimits#MAX_DEAD_LETTER_ERROR_CHARS}. */
    public static String cut(String error) {
        return error.length() <= TimerLimits.MAX_DEAD_LETTER_ERROR_CHARS
                ? error
                : error.substring(0, TimerLimits.MAX_DEAD_LETTER_ERROR_CHARS);
    }
}
