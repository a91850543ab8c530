package io.millrace.benchmarks.suite;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * CPU time for each mutation, by process.
 *
 * @param micros by display name of the process, in microseconds
 */
public record CpuCosts(Map<String, Double> micros) {

    /** With it the display names of worker processes begin. */
    public static final String WORKER = "worker";

    /** Divides what was used between two looks at the processes; one that was not there at the first look began then. */
    public static CpuCosts between(Map<String, Duration> before, Map<String, Duration> after, long count) {
        Map<String, Double> micros = new LinkedHashMap<>();
        after.forEach((process, used) -> {
            Duration earlier = before.getOrDefault(process, Duration.ZERO);
            micros.put(process, used.minus(earlier).toNanos() / 1e3 / count);
        });
        return new CpuCosts(micros);
    }

    /** Returns the same without one process, such as the benchmark itself, which users do not run. */
    public CpuCosts without(String process) {
        Map<String, Double> others = new LinkedHashMap<>(micros);
        others.remove(process);
        return new CpuCosts(others);
    }

    /** Returns what one process used in microseconds, 0 for one that was not there. */
    public double of(String process) {
        return micros.getOrDefault(process, 0.0);
    }

    /** Returns the costs of all processes in microseconds. */
    public double sum() {
        return micros.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns the costs of the worker processes in microseconds. */
    public double workers() {
        return micros.entrySet().stream()
                .filter(process -> process.getKey().startsWith(WORKER))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** Returns the sum and the part of each process, such as {@code 61.0 us, redis 40.5, worker 20.5}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%.1f us", sum()));
        micros.forEach((process, value) -> text.append(String.format(Locale.ROOT, ", %s %.1f", process, value)));
        return text.toString();
    }
}
