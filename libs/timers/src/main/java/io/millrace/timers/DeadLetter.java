package io.millrace.timers;

/**
 * A timer whose callback failed for the last time.
 *
 * @param timer as it was when it was given up; its version names the letter
 * @param diedAt milliseconds since 1970
 * @param error what the callback failed with
 */
public record DeadLetter(Timer timer, long diedAt, String error) {

    static String cut(String error) {
        return error.length() <= TimerLimits.MAX_DEAD_LETTER_ERROR_CHARS
                ? error
                : error.substring(0, TimerLimits.MAX_DEAD_LETTER_ERROR_CHARS);
    }
}
