package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.n1ql.Admission;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.SlowRequests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Statements that hold many rows, over documents of 1 KB in a process with a heap of 384 MiB: each alone, then three at once
 * while another thread reads by key. The documents are written and read in that process, which is a child of this one.
 */
final class QueryHeap {

    private static final int DOCUMENTS = 150_000;
    private static final int BATCH = 1_000;
    private static final String HEAP = "-Xmx384m";
    private static final Keyspace KEYSPACE = Keyspace.of("big");
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private static final Map<String, String> STATEMENTS = new LinkedHashMap<>();

    static {
        STATEMENTS.put("self join by index", "SELECT a.n, b.n AS m FROM big a JOIN big b ON a.mate = b.n");
        STATEMENTS.put("ORDER BY without LIMIT", "SELECT b.n, b.text FROM big b ORDER BY b.r");
        STATEMENTS.put("DISTINCT", "SELECT DISTINCT b.r, b.g FROM big b");
        STATEMENTS.put("ARRAY_AGG", "SELECT b.g, ARRAY_AGG(b.n) AS list FROM big b GROUP BY b.g");
    }

    private QueryHeap() {}

    /** Starts Redis and the process with the small heap; returns whether all its statements have finished. */
    static boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException {
        int documents = args.isEmpty() ? DOCUMENTS : Integer.parseInt(args.getFirst());
        Path directory = Files.createTempDirectory("millrace-bench");
        try (RedisServer server = RedisServer.start(RedisServer.Settings.durableIn(directory))) {
            Process process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            HEAP,
                            "-XX:+ExitOnOutOfMemoryError",
                            "-cp",
                            System.getProperty("java.class.path"),
                            QueryHeap.class.getName(),
                            server.url(),
                            Integer.toString(documents))
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                lines.lines().forEach(out::println);
            }
            return process.waitFor() == 0;
        }
    }

    /** The process with the small heap; the arguments are the address of Redis and the number of documents. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        try (RedisConnection redis = RedisConnection.open(args[0])) {
            int documents = Integer.parseInt(args[1]);
            RedisDocumentStore store = redis.documentStore();
            fill(store, documents);
            QueryEngine engine = new QueryEngine(
                    QueryBench.keyspaces(store),
                    InstantSource.system(),
                    QueryEngine.MemoryWatch.NONE,
                    SlowRequests.DEFAULT,
                    new Admission(
                            Math.max(1, Runtime.getRuntime().availableProcessors() - 1),
                            Duration.ofMillis(50),
                            Duration.ofSeconds(5)));
            count(engine, "CREATE PRIMARY INDEX ON big");
            count(engine, "CREATE INDEX by_n ON big(n)");
            out.printf(
                    "  %,d documents of 1 KB, heap of %d MiB%n",
                    documents, Runtime.getRuntime().maxMemory() >> 20);
            STATEMENTS.forEach((name, statement) -> alone(engine, name, statement, out));
            together(engine, documents, out);
        }
        System.exit(0); // connections have threads of their own
    }

    private static void fill(RedisDocumentStore store, int documents) {
        store.catalog().createBucket("big", 1).join();
        String padding = "x".repeat(900);
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            String body = "{\"n\":%d,\"mate\":%d,\"r\":%d,\"g\":%d,\"text\":\"t%d\",\"padding\":\"%s\"}"
                    .formatted(i, documents - 1 - i, (i * 7919L) % documents, i % 1000, i, padding);
            writes.add(store.write(
                    Write.upsert(new DocumentKey(KEYSPACE, "k" + i), body.getBytes(StandardCharsets.UTF_8))));
            if (writes.size() == BATCH) {
                writes.forEach(CompletableFuture::join);
                writes.clear();
            }
        }
        writes.forEach(CompletableFuture::join);
    }

    private static long count(QueryEngine engine, String statement) {
        long count = 0;
        try (Rows rows = engine.execute(statement, QueryOptions.DEFAULT.withTimeout(TIMEOUT))) {
            for (var row = rows.next(); row != null; row = rows.next()) {
                row.toJsonBytes();
                count++;
            }
        }
        return count;
    }

    private static void alone(QueryEngine engine, String name, String statement, PrintStream out) {
        long began = System.nanoTime();
        long rows = count(engine, statement);
        out.printf("  %s: %,d rows in %.1f s%n", name, rows, (System.nanoTime() - began) / 1e9);
    }

    private static void together(QueryEngine engine, int documents, PrintStream out) {
        long[] before = reads(engine, documents, List.of(CompletableFuture.completedFuture(0L)));
        long began = System.nanoTime();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<CompletableFuture<Long>> running = STATEMENTS.values().stream()
                    .limit(3)
                    .map(statement -> CompletableFuture.supplyAsync(() -> count(engine, statement), threads))
                    .toList();
            long[] during = reads(engine, documents, running);
            running.forEach(CompletableFuture::join);
            out.printf("  the first three at once: %.1f s%n", (System.nanoTime() - began) / 1e9);
            out.printf("  reads by key: %s alone, %s next to them%n", percentiles(before), percentiles(during));
        }
    }

    /** Reads by key until all of some statements have finished, and at least a thousand times. */
    private static long[] reads(QueryEngine engine, int documents, List<CompletableFuture<Long>> until) {
        List<Long> times = new ArrayList<>();
        while (times.size() < 1_000 || !until.stream().allMatch(CompletableFuture::isDone)) {
            String key = "k" + times.size() * 31L % documents;
            long began = System.nanoTime();
            count(engine, "SELECT b.n FROM big b USE KEYS '" + key + "'");
            times.add(System.nanoTime() - began);
        }
        return times.stream().mapToLong(Long::longValue).toArray();
    }

    private static String percentiles(long[] nanos) {
        Percentiles percentiles = new Percentiles(nanos);
        return "p50 %.2f ms, p99 %.2f ms".formatted(percentiles.at(50) / 1e6, percentiles.at(99) / 1e6);
    }
}
