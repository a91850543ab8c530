package io.millrace.benchmarks.subdoc;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link SubdocBenchmark} for all rows and sizes and prints a table with a comparison to the anchor. */
public final class SubdocBench {

    private static final List<String> SIZES = List.of("small", "medium", "large");
    private static final double GOAL = 0.6;

    private final PrintStream out;

    public SubdocBench(PrintStream out) {
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @param only the rows to measure by their names, empty for all
     */
    public void run(List<String> only) throws RunnerException {
        List<String> rows = Arrays.stream(Row.values())
                .map(Row::word)
                .filter(word -> only.isEmpty() || only.contains(word))
                .toList();
        Map<String, Double> nanos = new TreeMap<>();
        nanos.putAll(measure(rows, SIZES));
        if (rows.contains(Row.GET_LAST.word())) {
            nanos.putAll(measure(List.of(Row.GET_LAST.word()), List.of("text", "numbers")));
        }
        print(rows, nanos);
    }

    private static Map<String, Double> measure(List<String> rows, List<String> sizes) throws RunnerException {
        Options options = new OptionsBuilder()
                .include(SubdocBenchmark.class.getName() + ".operation")
                .param("row", rows.toArray(String[]::new))
                .param("size", sizes.toArray(String[]::new))
                .verbosity(VerboseMode.SILENT)
                .build();
        Map<String, Double> nanos = new TreeMap<>();
        for (RunResult result : new Runner(options).run()) {
            nanos.put(
                    result.getParams().getParam("row") + " "
                            + result.getParams().getParam("size"),
                    least(result));
        }
        return nanos;
    }

    /** Returns the minimum CPU time of all iterations, the same measure as for the anchor. */
    private static double least(RunResult result) {
        double least = Double.MAX_VALUE;
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                least = Math.min(
                        least,
                        Objects.requireNonNull(iteration.getSecondaryResults().get("cpu"))
                                .getScore());
            }
        }
        return least;
    }

    private void print(List<String> rows, Map<String, Double> nanos) {
        out.println("CPU time in ns per operation, minimum of 15 iterations; in brackets relative to the anchor.");
        out.println();
        out.println("| operation | small %,d B | medium %,d B | large %,d B |"
                .formatted(bytes("small"), bytes("medium"), bytes("large")));
        out.println("|---|---|---|---|");
        List<String> slower = new ArrayList<>();
        for (String row : rows) {
            StringBuilder line = new StringBuilder("| ").append(row);
            for (String size : SIZES) {
                line.append(" | ").append(cell(row, size, nanos, slower));
            }
            out.println(line.append(" |"));
        }
        for (String size : List.of("text", "numbers")) {
            if (nanos.containsKey("get_last " + size)) {
                out.println(
                        "get_last after %s of 20,000 bytes: %s".formatted(size, cell("get_last", size, nanos, slower)));
            }
        }
        out.println("Slower than the anchor: " + (slower.isEmpty() ? "none" : String.join(", ", slower)));
        Double sixteen = nanos.get("lookup_16 medium");
        Double one = nanos.get("get_last medium");
        if (sixteen != null && one != null) {
            out.println(
                    "Sixteen paths cost as much as %.1f single ones to the last (medium).".formatted(sixteen / one));
        }
    }

    private static String cell(String row, String size, Map<String, Double> nanos, List<String> slower) {
        Double spent = nanos.get(row + " " + size);
        if (spent == null) {
            return "-";
        }
        @Nullable Integer anchor = Row.of(row).anchor(size);
        if (anchor == null) {
            return "%,.0f".formatted(spent);
        }
        double share = spent / anchor;
        if (share > 1) {
            slower.add(row + " " + size);
        }
        return "%,.0f (%.2f%s)"
                .formatted(
                        spent,
                        share,
                        row.equals("get_last") && SIZES.contains(size) && share > GOAL
                                ? ", goal %.1f".formatted(GOAL)
                                : "");
    }

    private static int bytes(String size) {
        return OrderDocuments.of(size).length;
    }
}
