package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.ProcessUsage;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records the resident memory of processes over time. */
final class MemoryWatch {

    private final Map<String, List<Long>> samples = new LinkedHashMap<>();

    void sample(Map<String, Long> processes) {
        processes.forEach((name, pid) ->
                samples.computeIfAbsent(name, key -> new ArrayList<>()).add(ProcessUsage.residentMiB(pid)));
    }

    /**
     * Returns how much the processes whose names begin so held at most, in multiples of what each held when a tenth of the
     * time had passed; the largest of them: 1 says that they were flat.
     *
     * @throws IllegalStateException if no process was sampled by such a name
     */
    double growth(String prefix) {
        return samples.entrySet().stream()
                .filter(process -> process.getKey().startsWith(prefix))
                .map(Map.Entry::getValue)
                .mapToDouble(values -> (double) largest(values) / values.get(values.size() / 10))
                .max()
                .orElseThrow(() -> new IllegalStateException("No process " + prefix + " among " + samples.keySet()));
    }

    /** Prints the memory of each process after 10 %, 50 % and 100 % of the time, and the maximum. */
    void print(PrintStream out) {
        out.println("  resident memory in MiB: at 10 %, 50 %, 100 % of the time, and the maximum");
        samples.forEach((name, values) -> out.printf(
                "    %-16s %5d %5d %5d %5d%n",
                name,
                values.get(values.size() / 10),
                values.get(values.size() / 2),
                values.getLast(),
                largest(values)));
    }

    private static long largest(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
