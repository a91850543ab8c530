package io.millrace.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats the figures of {@link ScaleoutBench}: by the number of nodes, and what limits them. */
final class ScaleoutReport {

    /** The role of a process. */
    enum Kind {
        WORKER("workers"),
        SERVICE("eventing-services"),
        REDIS("Redis"),
        WRITER("writer"),
        OTHERS("other services");

        private final String many;

        Kind(String many) {
            this.many = many;
        }
    }

    /** @param node the node of the process; 0 for processes that exist once */
    record Part(Kind kind, int node) {}

    /**
     * The resources used in a period.
     *
     * @param cpuMillis CPU time of each part in milliseconds
     * @param busy the utilization of each core in percent; empty if the system does not report it
     */
    record Usage(double seconds, long handled, Map<Part, Double> cpuMillis, SortedMap<Integer, Double> busy) {

        double perSecond() {
            return handled / seconds;
        }

        double millis(Kind kind) {
            return cpuMillis.entrySet().stream()
                    .filter(entry -> entry.getKey().kind() == kind)
                    .mapToDouble(Map.Entry::getValue)
                    .sum();
        }

        double micros(Kind kind) {
            return 1000 * millis(kind) / handled;
        }

        double micros() {
            return cpuMillis.values().stream().mapToDouble(Double::doubleValue).sum() * 1000 / handled;
        }

        /** Returns how much of a core a part used, in percent. */
        double percent(Kind kind, int node) {
            return cpuMillis.getOrDefault(new Part(kind, node), 0.0) / seconds / 10;
        }
    }

    /** @param idle the usage without writes */
    record Row(int nodes, Usage loaded, Usage idle) {}

    private final List<Row> rows = new ArrayList<>();

    void add(Row row) {
        rows.add(row);
    }

    /** Returns the figures for one number of nodes. */
    static String details(Row row) {
        Usage loaded = row.loaded();
        String cores = loaded.busy().entrySet().stream()
                .map(entry -> text("%d: %.0f %%", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        String byNode = IntStream.rangeClosed(1, row.nodes())
                .mapToObj(node -> text(
                        "%d: service %.1f, worker %.1f",
                        node, loaded.percent(Kind.SERVICE, node), loaded.percent(Kind.WORKER, node)))
                .collect(Collectors.joining("; "));
        return text(
                """
                %d node%s: %,.0f handled/s in %.0f s; cores busy: %s
                  CPU per mutation in us: %s
                  CPU of each node in %% of a core: %s
                  with nothing to do, CPU in %% of a core: %s
                """,
                row.nodes(),
                row.nodes() == 1 ? "" : "s",
                loaded.perSecond(),
                loaded.seconds(),
                cores.isEmpty() ? "not reported by the system" : cores,
                micros(loaded),
                byNode,
                idle(row.idle()));
    }

    private static String micros(Usage usage) {
        List<String> parts = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            parts.add(text("%s %,.1f", kind.many, usage.micros(kind)));
        }
        return text("%,.0f: %s", usage.micros(), String.join(", ", parts));
    }

    private static String idle(Usage usage) {
        List<String> parts = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            parts.add(text("%s %.1f", kind.many, usage.millis(kind) / usage.seconds() / 10));
        }
        return String.join(", ", parts);
    }

    /** Returns the figures for all numbers of nodes as a Markdown table. */
    String table() {
        StringBuilder table = new StringBuilder("""
                | nodes | handled/s | times one node | cores busy | CPU per mutation in us | of it not in workers |
                |---|---|---|---|---|---|
                """);
        for (Row row : rows) {
            Usage loaded = row.loaded();
            table.append(text(
                    "| %d | %,.0f | %.2f | %s | %,.0f | %,.0f |%n",
                    row.nodes(),
                    loaded.perSecond(),
                    loaded.perSecond() / rows.getFirst().loaded().perSecond(),
                    loaded.busy().isEmpty() ? "" : text("%.0f %%", mean(loaded.busy())),
                    loaded.micros(),
                    loaded.micros() - loaded.micros(Kind.WORKER)));
        }
        return table.toString();
    }

    /** Returns what limits the last row, and the next limit. */
    String bounds() {
        Row last = rows.getLast();
        Usage loaded = last.loaded();
        double node = loaded.micros(Kind.WORKER) + loaded.micros(Kind.SERVICE);
        double redis = loaded.micros(Kind.REDIS);
        return text(
                """
                With %d nodes %.0f %% of the CPU is used by the workers, and the cores are %s. A core that has nothing else
                to do carries %,.0f mutations/s of a node; Redis uses %,.0f us of each, so that one core of it carries %,.0f/s,
                which is %,.0f such nodes.
                """,
                last.nodes(),
                100 * loaded.micros(Kind.WORKER) / loaded.micros(),
                loaded.busy().isEmpty() ? "not measured" : text("%.0f %% busy", mean(loaded.busy())),
                1e6 / node,
                redis,
                1e6 / redis,
                node / redis);
    }

    private static double mean(SortedMap<Integer, Double> busy) {
        return busy.values().stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
