package io.millrace.benchmarks.ways;

import io.millrace.benchmarks.suite.CpuCosts;
import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.Pace;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Measures 1,000 live queries on one bucket, followed through the gateway: once with one filter, so that each change is for all of
 * them, and once with a filter of its own for each, so that each change is for one.
 */
public final class LiveQueriesBench {

    private static final String BUCKET = "tasks";
    private static final Login READER = new Login("reader", "correct-horse");
    private static final int QUERIES = 1000;
    private static final int DOCUMENTS = 2000;

    /** As many as one user may have, see the limits of live queries. */
    private static final int QUERIES_PER_USER = 500;

    private static final int CHANGES_FOR_ALL_PER_SECOND = 10;
    private static final int CHANGES_FOR_ONE_PER_SECOND = 500;

    /** From the write to the client, as for the live changes of the console. */
    private static final int MILLIS_GOAL = 1000;

    private final Duration duration;
    private final PrintStream out;

    /** @param shortRun whether the run is to take less time */
    public LiveQueriesBench(boolean shortRun, PrintStream out) {
        this.duration = Duration.ofSeconds(shortRun ? 5 : 30);
        this.out = out;
    }

    /** Returns whether the goals were reached. */
    public boolean run() throws Exception {
        try (Suite suite = FreshSuite.start();
                RedisConnection redis = RedisConnection.open(suite.redisUrl())) {
            RedisDocumentStore store = redis.documentStore();
            store.catalog().createBucket(BUCKET, 1).join();
            for (int i = 0; i < DOCUMENTS; i++) {
                write(store, i);
            }
            addReader(suite);
            Map<String, Long> processes = new LinkedHashMap<>();
            processes.put("redis", redis.pid());
            processes.put("subdoc-service", suite.pid(Service.SUBDOC));
            processes.put("ui-gateway", suite.pid(Service.GATEWAY));
            out.printf("%n%,d live queries on one bucket of %,d documents%n", QUERIES, DOCUMENTS);
            boolean one = measure(
                    suite, store, processes, "one filter", i -> "number >= 0", CHANGES_FOR_ALL_PER_SECOND, QUERIES);
            boolean own = measure(
                    suite,
                    store,
                    processes,
                    "each its own filter",
                    "number %% 1000 = %d"::formatted,
                    CHANGES_FOR_ONE_PER_SECOND,
                    1);
            return one && own;
        }
    }

    /** @param each how many queries a change is for */
    private boolean measure(
            Suite suite,
            RedisDocumentStore store,
            Map<String, Long> processes,
            String name,
            IntFunction<String> filter,
            int perSecond,
            int each)
            throws IOException, InterruptedException {
        URI gateway = suite.url(Service.GATEWAY);
        List<Followers.Feed> feeds = IntStream.range(0, QUERIES)
                .mapToObj(i -> new Followers.Feed(path(filter.apply(i)), login(suite, i)))
                .toList();
        long began = System.nanoTime();
        try (Followers followers = Followers.open(gateway, feeds)) {
            followers.awaitCaughtUp();
            double opened = (System.nanoTime() - began) / 1e9;
            Map<String, Duration> before = ProcessUsage.cpu(processes);
            int changes = Math.toIntExact(duration.toSeconds() * perSecond);
            long[] millis = followers.awaitChanges(changes * each, () -> writeAll(store, changes, perSecond));
            CpuCosts costs = CpuCosts.between(before, ProcessUsage.cpu(processes), changes);
            Percentiles percentiles = new Percentiles(millis);
            out.printf(
                    "  %-20s all caught up after %.1f s; %,d changes/s, %,d events/s: p50 %d ms, p99 %d ms from the write to the client%n",
                    name, opened, perSecond, perSecond * each, percentiles.at(50), percentiles.at(99));
            out.printf("  %-20s CPU per change %s%n", "", costs);
            return new Goals(out)
                    .atMost("p99 to the client in ms, " + name, percentiles.at(99), MILLIS_GOAL)
                    .met();
        }
    }

    private static void writeAll(RedisDocumentStore store, int changes, int perSecond) {
        Pace pace = new Pace(perSecond);
        for (int i = 0; i < changes; i++) {
            pace.awaitTurn(i);
            write(store, i % DOCUMENTS);
        }
    }

    private static void write(RedisDocumentStore store, int number) {
        store.write(Write.upsert(
                        new DocumentKey(Keyspace.of(BUCKET), SampleDocuments.id(number)),
                        SampleDocuments.body(number, System.currentTimeMillis())))
                .join();
    }

    private static String path(String filter) {
        return "/api/v1/buckets/" + BUCKET + "/live?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);
    }

    private static String login(Suite suite, int query) {
        return (query < QUERIES_PER_USER ? suite.login() : READER).authorization();
    }

    private static void addReader(Suite suite) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        suite.url(Service.GATEWAY).resolve("/settings/rbac/users/local/" + READER.user()))
                .header("Authorization", suite.login().authorization())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .PUT(HttpRequest.BodyPublishers.ofString(
                        "roles=data_reader[%s]&password=%s".formatted(BUCKET, READER.password())))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("The user was not saved: " + answer.body());
            }
        }
    }
}
