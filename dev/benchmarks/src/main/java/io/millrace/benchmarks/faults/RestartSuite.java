package io.millrace.benchmarks.faults;

import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.sasl.ScramMechanism;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A suite with a Redis that can be restarted, and a function that counts how often each document was handled. */
final class RestartSuite implements AutoCloseable {

    private static final String SOURCE = "restarts_source";
    private static final String COUNTS = "restarts_counts";
    private static final String METADATA = "restarts_metadata";
    private static final String FUNCTION = "restarts";
    private static final String COUNT = """
        function OnUpdate(doc, meta) {
          var seen = restarts_counts[meta.id];
          restarts_counts[meta.id] = {n: seen ? seen.n + 1 : 1, at: doc.at};
        }
        """;
    private static final String USER = "Administrator";
    private static final String PASSWORD = "benchmark";
    private static final Duration KV_PATIENCE = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final int CALLS_IN_FLIGHT = 500;
    private static final int PAGE = 1000;
    private static final JsonMapper JSON = new JsonMapper();

    private final Path directory;
    private final RedisServer redis;
    private final Suite suite;
    private final RedisConnection connection;
    private final RedisDocumentStore store;
    private final URI kv;

    /** How often a document was handled, and when it was written. */
    record Counted(String id, int times, long writtenAt) {}

    private RestartSuite(Path directory, Path root) {
        this.directory = directory;
        redis = RedisServer.start(
                RedisServer.Settings.durableIn(redisDirectory()).with(Map.of("appendfsync", "everysec")));
        suite = Suite.start(SuiteSettings.of(root, root.resolve(".millrace/run"))
                .freePorts()
                .redisUrl(redis.url())
                .environment("MILLRACE_ADMIN_PASSWORD", PASSWORD)
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs")));
        connection = RedisConnection.open(redis.url());
        store = connection.documentStore();
        kv = URI.create(suite.sdkUrl());
    }

    static RestartSuite start(Path root, PrintStream out) throws IOException {
        Path directory = Files.createTempDirectory("millrace-restarts");
        out.println("logs in " + directory.resolve("logs"));
        return new RestartSuite(directory, root);
    }

    private Path redisDirectory() {
        return directory.resolve("redis");
    }

    /** Writes documents that the function does not get, then deploys it. */
    void deploy(int documents) throws IOException, InterruptedException {
        for (String bucket : List.of(SOURCE, COUNTS, METADATA)) {
            store.catalog().createBucket(bucket, 1).join();
        }
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            byte[] body = "{\"number\":%d}".formatted(i).getBytes(StandardCharsets.UTF_8);
            writes.add(store.write(Write.upsert(new DocumentKey(Keyspace.of(SOURCE), "before-" + i), body)));
            if (writes.size() == CALLS_IN_FLIGHT) {
                writes.forEach(CompletableFuture::join);
                writes.clear();
            }
        }
        writes.forEach(CompletableFuture::join);
        compactFile();
        FunctionsClient functions = new FunctionsClient(suite.url(Service.GATEWAY), suite.login());
        ObjectNode definition = (ObjectNode)
                JSON.readTree(FunctionsClient.definition(FUNCTION, COUNT, SOURCE, COUNTS, METADATA, Map.of()));
        ((ObjectNode) definition.path("settings")).put("dcp_stream_boundary", "from_now");
        int status = functions.save(FUNCTION, definition.toString());
        if (status != 200) {
            throw new IOException("The function was not saved: status " + status);
        }
        functions.deploy(FUNCTION);
    }

    /** As a Redis does that has run for long: it reads its file faster afterwards. */
    private void compactFile() throws IOException {
        redis.console().call("BGREWRITEAOF");
        while (redis.console().call("INFO", "persistence").contains("aof_rewrite_in_progress:1")
                || redis.console().call("INFO", "persistence").contains("aof_rewrite_scheduled:1")) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    RedisServer redis() {
        return redis;
    }

    /** Returns the file to which Redis appends. */
    Path appended() throws IOException {
        try (var files = Files.list(redisDirectory().resolve("appendonlydir"))) {
            return files.filter(file -> file.toString().endsWith(".incr.aof"))
                    .max((a, b) ->
                            Long.compare(a.toFile().lastModified(), b.toFile().lastModified()))
                    .orElseThrow(() -> new IOException("Redis has no append-only file in " + redisDirectory()));
        }
    }

    /** Opens a connection of the binary protocol to the source. */
    MemcachedClient open() throws IOException {
        MemcachedClient client = new MemcachedClient(kv.getHost(), kv.getPort(), KV_PATIENCE);
        client.hello();
        Status login = client.authenticate(ScramMechanism.SCRAM_SHA256, USER, PASSWORD);
        Status selected = login == Status.SUCCESS ? client.selectBucket(SOURCE) : login;
        if (selected != Status.SUCCESS) {
            client.close();
            throw new IOException("No connection to the bucket: " + selected);
        }
        return client;
    }

    /** Returns those ids that the function has not handled, as Redis says. */
    Set<String> unhandled(Collection<String> ids) {
        return Left.missing(store, COUNTS, ids);
    }

    /** Returns those ids that are not in the source any more. */
    Set<String> lost(Collection<String> ids) {
        return Left.missing(store, SOURCE, ids);
    }

    /** Passes every document that was handled. */
    void eachCounted(Consumer<Counted> reader) {
        ChangePage page = new ChangePage(List.of(), 0, true);
        while (page.more()) {
            page = store.page(COUNTS, 0, new ChangePage.Request(page.position(), false, PAGE, true))
                    .join();
            page.mutations().forEach(mutation -> {
                Document document = mutation.document();
                JsonNode body = JSON.readTree(document.body());
                reader.accept(new Counted(
                        document.key().id(),
                        body.path("n").asInt(),
                        body.path("at").asLong()));
            });
        }
    }

    /** Returns the incarnations of all buckets. */
    Set<Long> incarnations() {
        Set<Long> incarnations = new TreeSet<>();
        for (BucketInfo bucket : store.catalog().list().join()) {
            incarnations.add(bucket.incarnation());
        }
        return incarnations;
    }

    /** Returns the processes that run functions. */
    Set<Long> workers() {
        return Left.workers(suite);
    }

    /** Returns how often the log of the service that runs functions has a text. */
    long logged(String text) throws IOException {
        try (var lines = Files.lines(directory.resolve("logs/eventing-service.log"))) {
            return lines.filter(line -> line.contains(text)).count();
        }
    }

    @Override
    public void close() {
        connection.close();
        suite.close();
        redis.close();
    }
}
