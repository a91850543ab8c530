package io.millrace.redis;

import java.time.Duration;

/**
 * Moments, a second apart, at which everything that looks by itself from time to time does so. Where hundreds look seldom, waking a
 * thread and a processor costs most of a look, and Redis is asked in many small packets; at common times they wake once.
 */
public final class CommonTimes {

    private static final long APART_NANOS = 1_000_000_000;

    private CommonTimes() {}

    /** Returns how long to wait so as to look at a common time: at most so long, and less by a second at most. */
    public static Duration within(Duration longest) {
        return Duration.ofNanos(within(longest.toNanos(), System.nanoTime()));
    }

    /** As {@link #within(Duration)}, for those who have a clock of their own. Waits of less than two seconds stay what they are. */
    public static long within(long longestNanos, long nowNanos) {
        return longestNanos < 2 * APART_NANOS
                ? longestNanos
                : longestNanos - Math.floorMod(nowNanos + longestNanos, APART_NANOS);
    }
}
