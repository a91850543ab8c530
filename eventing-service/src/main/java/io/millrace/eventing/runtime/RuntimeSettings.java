package io.millrace.eventing.runtime;

import java.time.Duration;

/**
 * The limits of a producer, each with its unit.
 *
 * @param pageRows the most changes read from the feed at once
 * @param pageBytes fewer are read at once when documents are so large that a page would weigh more than this
 * @param firstRetry how long to wait before a call to Redis that failed is repeated; doubles with each failure
 * @param longestRetry where the doubling ends
 * @param firstRestart how long to wait before a producer that crashed is started again; doubles with each crash
 * @param longestRestart where the doubling ends
 * @param drainTimeout how long events in flight may take when a function is paused
 * @param lastSaveTimeout how long the last checkpoints may take; after it the function handles some events again
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
