package io.millrace.eventing.runtime;

import java.time.Duration;

/**
 * The limits of a running function.
 *
 * @param pageRows the most changes read from the feed at once
 * @param pageBytes the target size of a page: with large documents fewer changes are read at once
 * @param firstRetry the pause before a failed call to Redis is repeated; doubles with each failure
 * @param longestRetry where the doubling ends
 * @param firstRestart the pause before a function that failed is restarted; doubles with each failure
 * @param longestRestart where the doubling ends
 * @param drainTimeout how long events in flight may take when a function is paused
 * @param lastSaveTimeout how long saving the last checkpoints may take; afterwards some events are handled again
 */
public record RuntimeSettings(
        int pageRows,
        long pageBytes,
        Duration firstRetry,
        Duration longestRetry,
        Duration firstRestart,
        Duration longestRestart,
        Duration drainTimeout,
        Duration lastSaveTimeout) {

    public static final RuntimeSettings DEFAULT = new RuntimeSettings(
            1000,
            8L * 1024 * 1024,
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10));
}
