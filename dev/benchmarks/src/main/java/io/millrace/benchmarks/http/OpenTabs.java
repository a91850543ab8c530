package io.millrace.benchmarks.http;

import io.lettuce.core.ClientListArgs;
import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.Median;
import io.millrace.benchmarks.suite.Pace;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.benchmarks.ways.Followers;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Measures reads of one document through the gateway at a steady rate, in turns without anything else and while one user has 500
 * event streams open there, each of which gets an event a second; and counts what the streams subscribe to in Redis.
 */
public final class OpenTabs {

    private static final int TABS = 500;
    private static final int ROUNDS = 3;
    private static final int REQUESTS_PER_SECOND = 500;
    private static final String READ = "http";
    private static final String FOLLOWED = "tabs";

    /** Unchanged, within what the same measurement differs from itself. */
    private static final double MORE_MILLIS_GOAL = 1;

    /** The most rounds until the services have settled. */
    private final int settling;

    private final Duration turn;
    private final PrintStream out;

    /** @param shortRun whether the run is to take less time */
    public OpenTabs(boolean shortRun, PrintStream out) {
        this.settling = shortRun ? 1 : 20;
        this.turn = Duration.ofSeconds(shortRun ? 5 : 15);
        this.out = out;
    }

    /** Returns whether the goals were reached. */
    public boolean run() throws Exception {
        try (Suite suite = FreshSuite.start();
                RedisConnection redis = RedisConnection.open(suite.redisUrl())) {
            RedisDocumentStore store = redis.documentStore();
            for (String bucket : List.of(READ, FOLLOWED)) {
                store.catalog().createBucket(bucket, 1).join();
                write(store, bucket);
            }
            return measure(suite, redis, store);
        }
    }

    private boolean measure(Suite suite, RedisConnection redis, RedisDocumentStore store) throws Exception {
        URI gateway = suite.url(Service.GATEWAY);
        String login = suite.login().authorization();
        List<Followers.Feed> feeds =
                Collections.nCopies(TABS, new Followers.Feed("/api/v1/buckets/" + FOLLOWED + "/live", login));
        Wire get = Wire.http("GET", gateway.resolve("/api/v1/buckets/" + READ + "/docs/" + id()), login, new byte[0]);
        Road road = new Road("GET, gateway", new InetSocketAddress(gateway.getHost(), gateway.getPort()), List.of(get));
        Map<String, Long> services =
                Map.of("ui-gateway", suite.pid(Service.GATEWAY), "subdoc-service", suite.pid(Service.SUBDOC));
        road.settle(services, settling);
        out.printf("%n%d event streams of one user, %d requests/s for a document%n", TABS, REQUESTS_PER_SECOND);
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i <= ROUNDS; i++) {
            rounds.add(round(road, redis, store, gateway, feeds));
        }
        out.println("  the first is not counted: it warms up what serves the streams");
        return new Goals(out)
                .atMost(
                        "p99 with the streams minus without in ms",
                        Median.of(rounds.stream()
                                .skip(1)
                                .mapToDouble(Round::moreMillis)
                                .toArray()),
                        MORE_MILLIS_GOAL)
                .atMost(
                        "more subscriptions to Redis",
                        rounds.stream()
                                .mapToLong(Round::moreSubscriptions)
                                .max()
                                .orElseThrow(),
                        0)
                .met();
    }

    /** What the streams add to the p99 of reads and to the subscriptions in Redis. */
    private record Round(double moreMillis, long moreSubscriptions) {}

    private Round round(
            Road road, RedisConnection redis, RedisDocumentStore store, URI gateway, List<Followers.Feed> feeds)
            throws Exception {
        double alone = road.millisAt(REQUESTS_PER_SECOND, turn);
        long subscriptions = subscriptions(redis);
        try (Followers tabs = Followers.open(gateway, feeds)) {
            tabs.awaitCaughtUp();
            long more = subscriptions(redis) - subscriptions;
            double joined = followed(tabs, store, road);
            out.printf("  p99 %.2f ms, with the streams %.2f ms%n", alone, joined);
            return new Round(joined - alone, more);
        }
    }

    /** Returns the p99 while the streams are read and each gets an event a second. */
    private double followed(Followers tabs, RedisDocumentStore store, Road road)
            throws IOException, ExecutionException, InterruptedException {
        CompletableFuture<Double> millis = CompletableFuture.supplyAsync(() -> {
            try {
                return road.millisAt(REQUESTS_PER_SECOND, turn);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        int events = Math.toIntExact(turn.toSeconds());
        tabs.awaitChanges(TABS * events, () -> {
            Pace pace = new Pace(1);
            for (int i = 0; i < events; i++) {
                pace.awaitTurn(i);
                write(store, FOLLOWED);
            }
        });
        return millis.get();
    }

    /** Connections of Redis that have subscribed to channels. */
    private static long subscriptions(RedisConnection redis) throws ExecutionException, InterruptedException {
        return redis.commands()
                .clientList(ClientListArgs.Builder.typePubsub())
                .get()
                .lines()
                .count();
    }

    private static void write(RedisDocumentStore store, String bucket) {
        store.write(Write.upsert(
                        new DocumentKey(Keyspace.of(bucket), id()),
                        SampleDocuments.body(1, System.currentTimeMillis())))
                .join();
    }

    private static String id() {
        return SampleDocuments.id(1);
    }
}
