package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Median;
import io.millrace.benchmarks.suite.NeighbouringTurns;
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
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures what traces add to the write of a mutation: with none followed, with one per second, and with each one followed. The
 * interval says how far the result can be trusted.
 */
final class TracesBench {

    private static final String BUCKET = "bench";
    private static final int WINDOW = 64;
    private static final int KEYS = 2_048;
    private static final int EACH = 5_000;
    private static final int WARM_UP = 5;

    /** What one per second costs is far less than what turns differ by, so it takes many of them. */
    private static final int PAIRS_OF_ONE_PER_SECOND = 200;

    private static final int PAIRS_OF_ALL = 30;
    private static final int SPANS_OF_A_TRACE = 4;
    private static final byte[] BODY = ("{\"text\":\"" + "x".repeat(850) + "\"}").getBytes(StandardCharsets.UTF_8);

    static final TraceSampler NONE = new TraceSampler(0, 0, System::nanoTime);
    static final TraceSampler ONE_PER_SECOND = new TraceSampler(1, 100, System::nanoTime);
    static final TraceSampler ALL = new TraceSampler(1e9, 1e9, System::nanoTime);

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
            pairs(redis, store, ONE_PER_SECOND, WARM_UP); // for the compiler
            out.printf("CPU per mutation in us, client and Redis, medians of turns of %,d%n", EACH);
            out.printf("  %-16s %8s %8s %8s %30s%n", "", "least", "median", "pairs", "more than none, 95 % interval");
            report("one per second", pairs(redis, store, ONE_PER_SECOND, PAIRS_OF_ONE_PER_SECOND));
            report("each followed", pairs(redis, store, ALL, PAIRS_OF_ALL));
            out.printf("a decision takes %.0f ns; the spans had %,d bytes%n", decision(), spanBytes.sum());
        }
    }

    private NeighbouringTurns<Double> pairs(
            RedisConnection redis, RedisDocumentStore store, TraceSampler sampler, int count) throws Exception {
        return NeighbouringTurns.take(count, () -> measure(redis, store, NONE), () -> measure(redis, store, sampler));
    }

    private void report(String kind, NeighbouringTurns<Double> turns) {
        line("none followed", turns.without(), "");
        line(kind, turns.with(), turns.more(Double::doubleValue));
    }

    private void line(String kind, List<Double> turns, String more) {
        out.printf(
                "  %-16s %8.2f %8.2f %8d %30s%n", kind, Collections.min(turns), Median.of(turns), turns.size(), more);
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
