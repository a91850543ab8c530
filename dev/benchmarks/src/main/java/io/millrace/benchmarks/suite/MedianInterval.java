package io.millrace.benchmarks.suite;

import java.util.Arrays;

/**
 * Where the median of what was measured lies with 95 % certainty. It rests on the order of the values alone, so it holds whatever
 * their distribution is, and single values that were disturbed hardly move it.
 *
 * @param low the least value that the median may have
 * @param high the greatest one
 */
public record MedianInterval(double low, double high) {

    /** How far from the middle the ranks of the ends are, in standard deviations of the number of values below the median. */
    private static final double DEVIATIONS = 1.96;

    /** @param values at least six, or there is no such interval, and the ends are the least and the greatest one */
    public static MedianInterval of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int below = (int) Math.floor((sorted.length - DEVIATIONS * Math.sqrt(sorted.length)) / 2);
        int rank = Math.max(0, below - 1);
        return new MedianInterval(sorted[rank], sorted[sorted.length - 1 - rank]);
    }
}
