package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Median;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures what traces cost beyond the write: the CPU of the service, the worker and Redis for a mutation that a function handles
 * and copies, with none followed, with one per second, and with each one followed. The kinds take turns in one run.
 */
final class HandledTracesBench {

    private static final String HANDLER = "function OnUpdate(doc, meta) { handled[meta.id] = doc; }";
    private static final List<String> PROCESSES = List.of("eventing-service", "worker", "redis");
    private static final int EACH = 5_000;
    private static final int ROUNDS = 9;

    private final PrintStream out;

    HandledTracesBench(PrintStream out) {
        this.out = out;
    }

    void run() throws Exception {
        Map<String, TraceSampler> kinds = new LinkedHashMap<>();
        kinds.put("none followed", new TraceSampler(0, 0, System::nanoTime));
        kinds.put("one per second", new TraceSampler(1, 100, System::nanoTime));
        kinds.put("each followed", new TraceSampler(1e9, 1e9, System::nanoTime));
        Map<String, List<Map<String, Double>>> rounds = new LinkedHashMap<>();
        try (BenchSuite suite = BenchSuite.start()) {
            suite.createBucket("orders");
            suite.createBucket("handled");
            suite.createBucket("eventing");
            suite.create("copy", HANDLER, "orders", "handled", "eventing", Map.of());
            suite.deploy("copy");
            for (int round = 0; round <= ROUNDS; round++) {
                for (Map.Entry<String, TraceSampler> kind : kinds.entrySet()) {
                    Map<String, Double> micros = measure(suite, kind.getValue());
                    if (round > 0) { // the first one is for the compilers
                        rounds.computeIfAbsent(kind.getKey(), first -> new ArrayList<>())
                                .add(micros);
                    }
                }
            }
            suite.undeploy("copy");
        }
        report(rounds);
    }

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

    private void report(Map<String, List<Map<String, Double>>> rounds) {
        out.printf("CPU per handled mutation in us, medians of %d rounds of %,d%n", ROUNDS, EACH);
        out.printf("  %-16s %17s %8s %8s %22s%n", "", "eventing-service", "worker", "redis", "median of differences");
        List<Map<String, Double>> none = rounds.values().iterator().next();
        rounds.forEach((kind, all) -> {
            List<Double> differences = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                differences.add(sum(all.get(i)) - sum(none.get(i)));
            }
            List<Double> medians = PROCESSES.stream()
                    .map(process -> Median.of(all.stream()
                            .map(round -> round.getOrDefault(process, 0.0))
                            .toList()))
                    .toList();
            out.printf(
                    "  %-16s %17.1f %8.1f %8.1f %22.1f%n",
                    kind, medians.get(0), medians.get(1), medians.get(2), Median.of(differences));
        });
    }

    private static double sum(Map<String, Double> micros) {
        return PROCESSES.stream()
                .mapToDouble(process -> micros.getOrDefault(process, 0.0))
                .sum();
    }
}
