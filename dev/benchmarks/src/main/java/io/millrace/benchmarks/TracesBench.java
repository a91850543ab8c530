package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Median;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures what traces add to the write of a mutation: with none followed, with one per second, and with each one followed. The
 * kinds take turns, so that other work on the machine affects all of them, and each is compared with its neighbour.
 */
final class TracesBench {

    private static final String BUCKET = "bench";
    private static final int WINDOW = 64;
    private static final int KEYS = 2_048;
    private static final int EACH = 5_000;
    private static final int ROUNDS = 100;
    private static final int SPANS_OF_A_TRACE = 4;
    private static final byte[] BODY = ("{\"text\":\"" + "x".repeat(850) + "\"}").getBytes(StandardCharsets.UTF_8);

    private final PrintStream out;
    private final LongAdder spanBytes = new LongAdder();

    TracesBench(PrintStream out) {
        this.out = out;
    }

    void run() throws Exception {
        var directory = Files.createTempDirectory("millrace-bench");
        try (RedisServer server = RedisServer.start(RedisServer.Settings.volatileIn(directory));
                RedisConnection redis = RedisConnection.open(server.url());
                RedisDocumentStore store = redis.documentStore()) {
            store.catalog().createBucket(BUCKET, 1).join();
            Map<String, TraceSampler> kinds = new LinkedHashMap<>();
            kinds.put("none followed", new TraceSampler(0, 0, System::nanoTime));
            kinds.put("one per second", new TraceSampler(1, 100, System::nanoTime));
            kinds.put("each followed", new TraceSampler(1e9, 1e9, System::nanoTime));
            Map<String, List<Double>> micros = new LinkedHashMap<>();
            for (int round = 0; round <= ROUNDS; round++) {
                for (var kind : kinds.entrySet()) {
                    double each = measure(redis, store, kind.getValue());
                    if (round > 0) { // the first one is for the compiler
                        micros.computeIfAbsent(kind.getKey(), first -> new ArrayList<>())
                                .add(each);
                    }
                }
            }
            report(micros);
        }
    }

    private void report(Map<String, List<Double>> micros) {
        out.printf("CPU per mutation in us, client and Redis, %d rounds of %,d%n", ROUNDS, EACH);
        out.printf("  %-16s %8s %8s %22s%n", "", "least", "median", "median of differences");
        List<Double> none = micros.values().iterator().next();
        micros.forEach((kind, all) -> {
            List<Double> differences = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                differences.add(all.get(i) - none.get(i));
            }
            out.printf(
                    "  %-16s %8.2f %8.2f %22.2f%n",
                    kind, all.stream().sorted().toList().getFirst(), Median.of(all), Median.of(differences));
        });
        out.printf("a decision takes %.0f ns; the spans had %,d bytes%n", decision(), spanBytes.sum());
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private double measure(RedisConnection redis, RedisDocumentStore store, TraceSampler sampler) {
        long redisBefore = redis.cpuMicros();
        long before = cpuNanos();
        Deque<CompletableFuture<?>> unanswered = new ArrayDeque<>();
        for (int i = 0; i < EACH; i++) {
            if (unanswered.size() == WINDOW) {
                unanswered.removeFirst().join();
            }
            unanswered.add(write(store, sampler, new DocumentKey(Keyspace.of(BUCKET), "d" + i % KEYS)));
        }
        unanswered.forEach(CompletableFuture::join);
        return ((cpuNanos() - before) / 1e3 + redis.cpuMicros() - redisBefore) / EACH;
    }

    private CompletableFuture<WriteResult> write(RedisDocumentStore store, TraceSampler sampler, DocumentKey key) {
        TraceContext trace = sampler.follow(BUCKET, TraceContext.ofHeader(null));
        Write write = Write.upsert(key, BODY);
        if (trace == null) {
            return store.write(write);
        }
        return store.write(write.withOrigin(Origin.ofClient(trace))).whenComplete((done, failure) -> {
            List<Span> spans = new ArrayList<>();
            for (int i = 0; i < SPANS_OF_A_TRACE; i++) {
                spans.add(new Span(
                        trace.traceId(),
                        trace.next().spanId(),
                        trace.spanId(),
                        Span.Kind.EFFECT,
                        "upsert",
                        1,
                        1,
                        "",
                        Map.of(Attribute.DOCUMENT, key.id(), Attribute.FUNCTION, "f", Attribute.VERSION, "1")));
            }
            spanBytes.add(Span.json(spans).length);
        });
    }

    /** Returns what it takes to leave a change out, in nanoseconds. */
    private static double decision() {
        TraceSampler sampler = new TraceSampler(1, 100, System::nanoTime);
        int times = 5_000_000;
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = cpuNanos();
            int followed = 0;
            for (int i = 0; i < times; i++) {
                followed += sampler.follow(BUCKET, Optional.empty()) == null ? 0 : 1;
            }
            least = Math.min(least, (double) (cpuNanos() - before) / (times - followed));
        }
        return least;
    }
}
