package io.millrace.benchmarks.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/**
 * Turns of the same work, without something and with it. Those that are compared are neighbours, and the order changes from pair to
 * pair, so that other work on the machine, and what a program leaves to the next turn, affect both kinds alike.
 *
 * @param without what each turn without it measured
 * @param with what the neighbour of each measured
 * @param <T> a measurement
 */
public record NeighbouringTurns<T>(List<T> without, List<T> with) {

    public static <T> NeighbouringTurns<T> take(int pairs, Callable<T> without, Callable<T> with) throws Exception {
        List<T> base = new ArrayList<>();
        List<T> changed = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            if (i % 2 == 0) {
                base.add(without.call());
                changed.add(with.call());
            } else {
                changed.add(with.call());
                base.add(without.call());
            }
        }
        return new NeighbouringTurns<>(base, changed);
    }

    /** How much more the turns with it cost than their neighbours, such as {@code 1.2 %, 0.4 to 1.9 %}: the median and where it lies. */
    public String more(ToDoubleFunction<T> cost) {
        double[] more = new double[with.size()];
        for (int i = 0; i < more.length; i++) {
            more[i] = 100 * (cost.applyAsDouble(with.get(i)) / cost.applyAsDouble(without.get(i)) - 1);
        }
        MedianInterval interval = MedianInterval.of(more);
        return "%.1f %%, %.1f to %.1f %%".formatted(Median.of(more), interval.low(), interval.high());
    }
}
