package io.millrace.benchmarks;

import java.util.Arrays;

/** A set of measured values, asked for its percentiles. */
final class Percentiles {

    private final long[] sorted;

    Percentiles(long[] values) {
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    /** Returns the smallest value that {@code percent} of the values do not exceed; 0 when there are none. */
    long at(double percent) {
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
    }
}
