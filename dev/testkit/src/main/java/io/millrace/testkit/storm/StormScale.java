package io.millrace.testkit.storm;

import java.time.Duration;

/**
 * What a storm consists of.
 *
 * @param watchers feeds of changes that stay open
 * @param writers clients that write documents as fast as they are answered
 * @param queries clients that run statements which read, group and sort a whole bucket
 * @param nonReaders clients that ask for a document of 20 MiB and do not read it
 * @param halfSent requests of which only a part is sent, of the header or of the body
 * @param duration how long all of it lasts
 */
public record StormScale(int watchers, int writers, int queries, int nonReaders, int halfSent, Duration duration) {

    /** The storm that a suite must stand. */
    public static final StormScale FULL = new StormScale(2_000, 64, 20, 16, 400, Duration.ofMinutes(2));

    /** A storm for a test. It has many clients that do not read, because it is these that fill the memory. */
    public static final StormScale SHORT = new StormScale(200, 8, 3, 16, 60, Duration.ofSeconds(5));

    /** Returns the same storm for another time. */
    public StormScale lasting(Duration other) {
        return new StormScale(watchers, writers, queries, nonReaders, halfSent, other);
    }
}
