package io.millrace.benchmarks.rebalance;

import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.suite.EventingNode;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import io.millrace.testkit.FlakyProxy;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A suite with additional eventing nodes, observed as operators see it. */
final class RebalanceCluster implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    /** Less often than one would for the sake of the last digit: a look goes through the gateway and two services of what is measured. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final Duration RELOAD_PATIENCE = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String FUNCTION = "rebalanced";
    private static final String CHECKPOINTS = "mr:{eventing.0}:cp:*";

    private final Suite suite;
    private final RedisConnection redis;
    private final RedisDocumentStore store;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /** A checkpoint record in Redis. */
    record Owned(String owner, long epoch, long seqno) {

        static Owned parse(byte[] record) {
            String[] words = new String(record, StandardCharsets.UTF_8).split(" ", -1);
            return new Owned(words[6], Long.parseLong(words[1]), Long.parseLong(words[2]));
        }
    }

    private RebalanceCluster(Suite suite) {
        this.suite = suite;
        this.redis = RedisConnection.open(suite.redisUrl());
        this.store = redis.documentStore();
    }

    /** @param redisUrl the URL of a running Redis; null to start one that can be killed */
    static RebalanceCluster start(PrintStream out, @Nullable String redisUrl) throws IOException {
        Path directory = Files.createTempDirectory("millrace-rebalance");
        Path root = Path.of("").toAbsolutePath();
        out.println("logs in " + directory.resolve("logs"));
        SuiteSettings settings = SuiteSettings.of(root, root.resolve(".millrace/run"))
                .freePorts()
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"));
        return new RebalanceCluster(Suite.start(redisUrl == null ? settings : settings.redisUrl(redisUrl)));
    }

    RedisDocumentStore store() {
        return store;
    }

    /** Returns the seqno of the newest change for the function. */
    long newest() {
        return store.highSeqno("source", 0).join();
    }

    /** Returns the seqno of the newest such change that survived when Redis lost some. */
    long survived() {
        return store.branch("source", 0).join().survived();
    }

    void deploy(String code) throws IOException, InterruptedException {
        for (String bucket : Set.of("source", "handled", "eventing")) {
            store.catalog().createBucket(bucket, 1).join();
        }
        FunctionsClient functions = new FunctionsClient(suite.url(Service.GATEWAY), suite.login());
        functions.create(FUNCTION, code, "source", "handled", "eventing", Map.of("checkpoint_interval", 5));
        functions.deploy(FUNCTION);
    }

    EventingNode startNode(String id) {
        return suite.startNode(id, suite.redisUrl());
    }

    /** Starts a node that connects to Redis through its own proxy. */
    EventingNode startNode(String id, FlakyProxy way) {
        return suite.startNode(id, way.redisUrl());
    }

    /** Returns a proxy to Redis that can be cut. */
    FlakyProxy way() {
        URI redisUrl = URI.create(suite.redisUrl());
        return FlakyProxy.to(redisUrl.getHost(), redisUrl.getPort());
    }

    /** Kills Redis, which restarts with its append-only file. */
    void kill9Redis() {
        suite.kill9Redis();
    }

    /** Waits until Redis answers, which it does not while it loads its file; fails when it takes too long. */
    void awaitRedis() {
        long last = System.nanoTime() + RELOAD_PATIENCE.toNanos();
        while (true) {
            try {
                redis.commands().ping().toCompletableFuture().join();
                return;
            } catch (CompletionException notYet) {
                if (System.nanoTime() - last > 0) {
                    throw new IllegalStateException(
                            "Redis did not answer within %d s of its restart".formatted(RELOAD_PATIENCE.toSeconds()),
                            notYet);
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    JsonNode topology() throws InterruptedException {
        return get(suite.url(Service.GATEWAY).resolve("/api/v1/topology"));
    }

    /** Starts a rebalance over the live nodes. */
    void rebalance() throws IOException, InterruptedException {
        http.send(
                HttpRequest.newBuilder(suite.url(Service.GATEWAY).resolve("/api/v1/topology/rebalance"))
                        .header("Content-Type", "application/json")
                        .header("Authorization", suite.login().authorization())
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.discarding());
    }

    void awaitTopology(String what, Predicate<JsonNode> condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.test(topology())) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "Timed out after " + PATIENCE + " waiting for: " + what + ": " + topology());
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    /** Waits until this many nodes share the vbuckets as planned and none is moving. */
    void awaitBalanced(int nodes) throws InterruptedException {
        awaitTopology(
                nodes + " balanced nodes",
                view -> !view.path("rebalancing").asBoolean()
                        && !view.path("frozen").asBoolean()
                        && view.path("members").size() == nodes
                        && view.path("live").size() == nodes);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isSettled(nodes)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "Vbuckets without the planned owner after " + PATIENCE + ": " + owners());
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private boolean isSettled(int nodes) throws InterruptedException {
        JsonNode map = get(suite.url(Service.GATEWAY).resolve("/getOwnershipMap"));
        JsonNode function = map.path("functions").path(FUNCTION);
        return map.path("planned").size() == nodes
                && !function.isMissingNode()
                && function.path("unsettled").asString("?").isEmpty();
    }

    /** Returns the checkpoint of each vbucket. */
    Map<Integer, Owned> owners() {
        Map<Integer, Owned> owners = new TreeMap<>();
        for (byte[] key :
                redis.commands().keys(CHECKPOINTS).toCompletableFuture().join()) {
            redis.commands().hgetall(key).toCompletableFuture().join().forEach((field, record) -> {
                String name = new String(field, StandardCharsets.UTF_8);
                if (Character.isDigit(name.charAt(0))) {
                    owners.put(Integer.valueOf(name), Owned.parse(record));
                }
            });
        }
        return owners;
    }

    Set<String> ownerNames() {
        Set<String> names = new TreeSet<>();
        owners().values().forEach(owned -> names.add(owned.owner()));
        return names;
    }

    private JsonNode get(URI uri) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(5))
                .header("Authorization", suite.login().authorization())
                .build();
        try {
            return JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            return JSON.missingNode(); // the caller repeats the request
        }
    }

    @Override
    public void close() {
        redis.close();
        suite.close();
    }
}
