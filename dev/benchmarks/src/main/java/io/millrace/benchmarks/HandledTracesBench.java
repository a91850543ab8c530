package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Median;
import io.millrace.benchmarks.suite.NeighbouringTurns;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures what traces cost beyond the write: the CPU of the service, the worker and Redis for a mutation that a function handles
 * and copies, with none followed, with one per second, and with each one followed. The interval says how far the result can be
 * trusted.
 */
final class HandledTracesBench {

    private static final String HANDLER = "function OnUpdate(doc, meta) { handled[meta.id] = doc; }";
    private static final List<String> PROCESSES = List.of("eventing-service", "worker", "redis");
    private static final int EACH = 2_000;
    private static final int WARM_UP = 10;

    /** What one per second costs is far less than what turns differ by, so it takes many of them. */
    private static final int PAIRS_OF_ONE_PER_SECOND = 1_000;

    private static final int PAIRS_OF_ALL = 50;

    private final PrintStream out;

    HandledTracesBench(PrintStream out) {
        this.out = out;
    }

    void run() throws Exception {
        try (BenchSuite suite = BenchSuite.start()) {
            suite.createBucket("orders");
            suite.createBucket("handled");
            suite.createBucket("eventing");
            suite.create("copy", HANDLER, "orders", "handled", "eventing", Map.of());
            suite.deploy("copy");
            pairs(suite, TracesBench.ONE_PER_SECOND, WARM_UP); // for the compilers
            out.printf("CPU per handled mutation in us, medians of turns of %,d%n", EACH);
            out.printf(
                    "  %-16s %17s %8s %8s %8s %30s%n",
                    "", "eventing-service", "worker", "redis", "pairs", "more than none, 95 % interval");
            report("one per second", pairs(suite, TracesBench.ONE_PER_SECOND, PAIRS_OF_ONE_PER_SECOND));
            report("each followed", pairs(suite, TracesBench.ALL, PAIRS_OF_ALL));
            suite.undeploy("copy");
        }
    }

    private static NeighbouringTurns<Map<String, Double>> pairs(BenchSuite suite, TraceSampler sampler, int count)
            throws Exception {
        return NeighbouringTurns.take(count, () -> measure(suite, TracesBench.NONE), () -> measure(suite, sampler));
    }

    /** Returns the CPU of a turn per mutation and process in microseconds. */
    private static Map<String, Double> measure(BenchSuite suite, TraceSampler sampler) throws Exception {
        long before = suite.mutations("handled");
        Map<String, Duration> used = suite.cpu();
        suite.writeAs("orders", 0, EACH, write -> followed(write, sampler));
        suite.awaitHandled("handled", before, EACH);
        Map<String, Double> micros = new LinkedHashMap<>();
        suite.cpu().forEach((process, now) -> {
            Duration earlier = Optional.ofNullable(used.get(process)).orElse(Duration.ZERO);
            String kind = process.startsWith("worker") ? "worker" : process;
            micros.merge(kind, now.minus(earlier).toNanos() / 1e3 / EACH, Double::sum);
        });
        return micros;
    }

    private static Write followed(Write write, TraceSampler sampler) {
        TraceContext trace = sampler.follow("orders", TraceContext.ofHeader(null));
        return trace == null ? write : write.withOrigin(Origin.ofClient(trace));
    }

    private void report(String kind, NeighbouringTurns<Map<String, Double>> turns) {
        line("none followed", turns.without(), "");
        line(kind, turns.with(), turns.more(HandledTracesBench::sum));
    }

    private void line(String kind, List<Map<String, Double>> turns, String more) {
        List<Double> medians = PROCESSES.stream()
                .map(process -> Median.of(turns.stream()
                        .map(turn -> turn.getOrDefault(process, 0.0))
                        .toList()))
                .toList();
        out.printf(
                "  %-16s %17.1f %8.1f %8.1f %8d %30s%n",
                kind, medians.get(0), medians.get(1), medians.get(2), turns.size(), more);
    }

    private static double sum(Map<String, Double> micros) {
        return PROCESSES.stream()
                .mapToDouble(process -> micros.getOrDefault(process, 0.0))
                .sum();
    }
}
