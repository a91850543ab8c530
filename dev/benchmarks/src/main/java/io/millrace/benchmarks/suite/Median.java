package io.millrace.benchmarks.suite;

import java.util.Arrays;
import java.util.Collection;

/** The value in the middle of some, or the mean of the two that are there. */
public final class Median {

    private Median() {}

    public static double of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public static double of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
