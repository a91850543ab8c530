package io.millrace.benchmarks.suite;

import java.util.Arrays;

/** Percentiles of measured values. */
public final class Percentiles {

    private final long[] sorted;

    public Percentiles(long[] values) {
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    /** Returns the smallest value that {@code percent} of the values do not exceed; 0 without values. */
    public long at(double percent) {
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
    }

    /** Returns values in milliseconds as the table of a benchmark shows them. */
    public String millis() {
        return "p50 %d ms, p99 %d ms, p99.9 %d ms, max %d ms".formatted(at(50), at(99), at(99.9), at(100));
    }
}
