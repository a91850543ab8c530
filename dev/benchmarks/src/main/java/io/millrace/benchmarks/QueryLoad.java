package io.millrace.benchmarks;

import io.millrace.benchmarks.http.LookUps;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.launcher.suite.Service;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Prepared look-ups by key over HTTP, as many clients make them, with the suite as its processes; and what they cost next to heavy statements. */
final class QueryLoad {

    private static final String BUCKET = "orders";
    private static final int DOCUMENTS = 10_000;
    private static final int HEAVY = 20;
    private static final String HEAVY_STATEMENT =
            "{\"statement\":\"SELECT COUNT(*) AS n FROM orders o WHERE TO_STRING(o.items) LIKE '%nothing like it%'\"}";
    private static final Duration MEASURED = Duration.ofSeconds(15);

    private final PrintStream out;

    QueryLoad(PrintStream out) {
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        try (BenchSuite suite = BenchSuite.start();
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            suite.createBucket(BUCKET);
            suite.write(BUCKET, 0, DOCUMENTS);
            URI address = URI.create(suite.url(Service.SUBDOC) + "/query/service");
            HttpRequest.Builder service = HttpRequest.newBuilder(address)
                    .header("Content-Type", "application/json")
                    .header("Authorization", suite.authorization());
            ask(http, service, "{\"statement\":\"PREPARE byKey FROM SELECT o.* FROM orders o USE KEYS $k\"}", 1);
            ask(http, service, "{\"prepared\":\"byKey\",\"$k\":\"" + SampleDocuments.id(0) + "\"}", 1);
            Map<String, Long> processes = Map.of(
                    "client", ProcessHandle.current().pid(),
                    "redis", suite.redisPid(),
                    "subdoc-service", suite.pid(Service.SUBDOC));
            LookUps.print(address, suite.authorization(), "byKey", DOCUMENTS, processes, out);
            nextToHeavyOnes(http, service);
        }
    }

    /** Reads by key of one client, alone and while many others run statements that read all documents. */
    private void nextToHeavyOnes(HttpClient http, HttpRequest.Builder service)
            throws IOException, InterruptedException {
        ask(http, service, "{\"statement\":\"CREATE PRIMARY INDEX ON orders\"}", 0);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger heavy = new AtomicInteger();
        try (ExecutorService one = Executors.newFixedThreadPool(1);
                ExecutorService others = Executors.newFixedThreadPool(HEAVY)) {
            Percentiles alone = new Percentiles(measure(http, service, one, MEASURED, 1));
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < HEAVY; i++) {
                running.add(others.submit(() -> {
                    while (!ended.get()) {
                        ask(http, service, HEAVY_STATEMENT, 1);
                        heavy.incrementAndGet();
                    }
                    return null;
                }));
            }
            Percentiles loaded = new Percentiles(measure(http, service, one, MEASURED, 1));
            ended.set(true);
            for (Future<?> each : running) {
                finished(each);
            }
            out.printf(
                    "  reads by key, one client: p50 %.1f ms, p99 %.1f ms; next to %d heavy statements (%d finished):"
                            + " p50 %.1f ms, p99 %.1f ms%n",
                    alone.at(50) / 1e6,
                    alone.at(99) / 1e6,
                    HEAVY,
                    heavy.get(),
                    loaded.at(50) / 1e6,
                    loaded.at(99) / 1e6);
        }
    }

    private static <T> T finished(Future<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException("A statement failed", e.getCause());
        }
    }

    private static long[] measure(
            HttpClient http, HttpRequest.Builder service, ExecutorService threads, Duration length, int number)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        AtomicInteger next = new AtomicInteger();
        Callable<List<Long>> client = () -> {
            List<Long> latencies = new ArrayList<>();
            while (System.nanoTime() < end) {
                String key = SampleDocuments.id(next.getAndIncrement() % DOCUMENTS);
                long began = System.nanoTime();
                ask(http, service, "{\"prepared\":\"byKey\",\"$k\":\"" + key + "\"}", 1);
                latencies.add(System.nanoTime() - began);
            }
            return latencies;
        };
        List<Future<List<Long>>> clients = threads.invokeAll(
                IntStream.range(0, number).mapToObj(i -> client).toList());
        List<Long> all = new ArrayList<>();
        for (Future<List<Long>> one : clients) {
            all.addAll(finished(one));
        }
        return all.stream().mapToLong(Long::longValue).toArray();
    }

    private static void ask(HttpClient http, HttpRequest.Builder service, String body, int rows)
            throws IOException, InterruptedException {
        HttpRequest request = service.copy()
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200 || !answer.body().contains("\"resultCount\":" + rows)) {
            throw new IOException("Status " + answer.statusCode() + ": " + answer.body());
        }
    }
}
