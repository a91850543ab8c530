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
}
