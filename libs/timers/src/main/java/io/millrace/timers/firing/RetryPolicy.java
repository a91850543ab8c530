package io.millrace.timers.firing;

import java.time.Duration;
import java.util.Optional;

/**
 * How often and when a callback that failed is called again.
 *
 * @param attempts how often it is called at most, at least 1
 * @param firstPause before the second call; each further pause is twice as long
 * @param longestPause no pause is longer
 */
public record RetryPolicy(int attempts, Duration firstPause, Duration longestPause) {

    /** No retry: the first failure is the last. */
    public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

    private static final int MOST_DOUBLINGS = 30;

    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("A callback is called at least once: " + attempts);
        }
    }

    /** Returns the pause after so many failures, or nothing when that was the last attempt. */
    Optional<Duration> pauseAfter(int failures) {
        if (failures >= attempts) {
            return Optional.empty();
        }
        Duration pause = firstPause.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return Optional.of(pause.compareTo(longestPause) > 0 ? longestPause : pause);
    }
}
