package io.millrace.n1ql.system;

import java.time.Duration;
import java.util.Arrays;

/** How many requests have ended, and how long the latest of them took. Thread-safe. */
public final class RequestTimes {

    /** Of how many requests the times are kept. */
    static final int LATEST = 1024;

    private final long[] nanos = new long[LATEST];
    private long ended;

    public synchronized void ended(Duration elapsed) {
        nanos[(int) (ended % LATEST)] = elapsed.toNanos();
        ended++;
    }

    synchronized Summary summary() {
        long[] sorted = Arrays.copyOf(nanos, (int) Math.min(ended, LATEST));
        Arrays.sort(sorted);
        return new Summary(ended, sorted);
    }

    /**
     * @param ended how many requests have ended
     * @param sorted the times of the latest in nanoseconds, ascending
     */
    @SuppressWarnings("ArrayRecordComponent") // made by this class alone, and not changed
    record Summary(long ended, long[] sorted) {

        /** Returns the mean of the latest times; zero without any. */
        Duration mean() {
            return Duration.ofNanos((long) Arrays.stream(sorted).average().orElse(0));
        }

        /** Returns the least time that at least so many percent of the latest do not exceed; zero without any. */
        Duration percentile(int percent) {
            if (sorted.length == 0) {
                return Duration.ZERO;
            }
            int rank = (sorted.length * percent + 99) / 100;
            return Duration.ofNanos(sorted[Math.max(rank, 1) - 1]);
        }
    }
}
