package io.millrace.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The resident memory of processes over time. */
final class MemoryWatch {

    private final Map<String, List<Long>> samples = new LinkedHashMap<>();

    void sample(Map<String, Long> processes) {
        processes.forEach((name, pid) ->
                samples.computeIfAbsent(name, key -> new ArrayList<>()).add(ProcessUsage.residentMiB(pid)));
    }

    /** Prints per process the memory after a tenth of the time, in the middle, at the end, and the most. */
    void print(PrintStream out) {
        out.println("  resident memory in MiB: at 10 %, 50 %, 100 % of the time, and the most");
        samples.forEach((name, values) -> out.printf(
                "    %-16s %5d %5d %5d %5d%n",
                name,
                values.get(values.size() / 10),
                values.get(values.size() / 2),
                values.getLast(),
                values.stream().mapToLong(Long::longValue).max().orElse(0)));
    }
}
