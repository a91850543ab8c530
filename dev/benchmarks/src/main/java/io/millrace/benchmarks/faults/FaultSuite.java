package io.millrace.benchmarks.faults;

import io.millrace.access.ClusterSecret;
import io.millrace.access.IdentityTokens;
import io.millrace.access.ServiceIdentity;
import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.Ports;
import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.redis.RedisServer;
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
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A suite with a function that copies documents. Its processes meet through proxies, which can be cut. */
final class FaultSuite implements AutoCloseable {

    static final String SOURCE = "faults_source";
    static final String COPIES = "faults_copies";

    private static final String METADATA = "faults_metadata";
    private static final String FUNCTION = "faults";
    private static final String COPY = "function OnUpdate(doc, meta) { faults_copies[meta.id] = doc; }";
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Path directory;
    private final Optional<SmallDisk> disk;
    private final RedisServer redis;
    private @Nullable RedisServer otherRedis;
    private final FlakyProxy redisWay;
    private final Map<Service, FlakyProxy> ways = new EnumMap<>(Service.class);
    private final Suite suite;
    private final ServiceIdentity identity;
    private final RedisConnection connection;
    private final RedisDocumentStore store;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LOOK)
            .build();

    private FaultSuite(Path directory, Path root) throws IOException, InterruptedException {
        this.directory = directory;
        disk = SmallDisk.mount(directory.resolve("disk"));
        redis = RedisServer.start(RedisServer.Settings.durableIn(directory.resolve("disk/redis")));
        redisWay = FlakyProxy.to("127.0.0.1", redis.port());
        SuiteSettings settings = SuiteSettings.of(root, root.resolve(".millrace/run"))
                .freePorts()
                .redisUrl(redisWay.redisUrl())
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"));
        for (Service service : Service.values()) {
            int port = Ports.free();
            FlakyProxy way = FlakyProxy.to("127.0.0.1", port);
            ways.put(service, way);
            settings.port(service, port).environment(urlVariable(service), url(way).toString());
        }
        suite = Suite.start(settings);
        Clock clock = Clock.systemUTC();
        ClusterSecret secret = ClusterSecret.parse(Files.readString(suite.clusterSecret()));
        identity = new ServiceIdentity(new IdentityTokens(secret, clock), "faults", clock);
        connection = RedisConnection.open(redis.url());
        store = connection.documentStore();
    }

    static FaultSuite start(Path root, PrintStream out) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("millrace-faults");
        out.println("logs in " + directory.resolve("logs"));
        return new FaultSuite(directory, root);
    }

    private static String urlVariable(Service service) {
        return switch (service) {
            case EVENTING -> "MILLRACE_EVENTING_URL";
            case SUBDOC -> "MILLRACE_SUBDOC_URL";
            case METAKV -> "MILLRACE_METAKV_URL";
            case GATEWAY -> "MILLRACE_GATEWAY_URL";
        };
    }

    private static URI url(FlakyProxy way) {
        return URI.create("http://127.0.0.1:" + way.port());
    }

    /**
     * Creates the buckets, deploys the function and writes a document.
     *
     * @param readable the id of the document
     */
    void deploy(String readable) throws IOException, InterruptedException {
        for (String bucket : List.of(SOURCE, COPIES, METADATA)) {
            store.catalog().createBucket(bucket, 1).join();
        }
        FunctionsClient functions = new FunctionsClient(gateway(), login());
        functions.create(FUNCTION, COPY, SOURCE, COPIES, METADATA);
        functions.deploy(FUNCTION);
        DocumentKey key = new DocumentKey(Keyspace.of(SOURCE), readable);
        store.write(Write.upsert(key, "{}".getBytes(StandardCharsets.UTF_8))).join();
    }

    /** Returns the address that clients use. */
    URI gateway() {
        return address(Service.GATEWAY);
    }

    /** Returns the address of a service. */
    URI address(Service service) {
        return url(way(service));
    }

    Login login() {
        return suite.login();
    }

    /** Returns whom the services take for the one that asks: one of them. */
    ServiceIdentity identity() {
        return identity;
    }

    RedisServer redis() {
        return redis;
    }

    Optional<SmallDisk> disk() {
        return disk;
    }

    FlakyProxy redisWay() {
        return redisWay;
    }

    /** Lets the address of Redis lead to an empty one. */
    void replaceRedis() {
        RedisServer other = RedisServer.start(RedisServer.Settings.volatileIn(directory.resolve("other-redis")));
        otherRedis = other;
        redisWay.retarget("127.0.0.1", other.port());
    }

    /** Ends that. */
    void bringRedisBack() {
        redisWay.retarget("127.0.0.1", redis.port());
        closeOther();
    }

    private void closeOther() {
        RedisServer other = otherRedis;
        otherRedis = null;
        if (other != null) {
            other.close();
        }
    }

    /** Returns the proxy in front of a service. */
    FlakyProxy way(Service service) {
        return Objects.requireNonNull(ways.get(service));
    }

    long pid(Service service) {
        return suite.pid(service);
    }

    /** Returns the processes that run functions. */
    List<Long> workers() {
        return List.copyOf(Left.workers(suite));
    }

    /** Returns whether a service says, asked directly, that it can do its work. */
    boolean serves(Service service) throws InterruptedException {
        // the gateway's readiness is that of the services behind it
        String part = service == Service.GATEWAY ? "liveness" : "readiness";
        HttpRequest request = HttpRequest.newBuilder(suite.url(service).resolve("/actuator/health/" + part))
                .timeout(LOOK)
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns those ids of which a bucket has no document, as Redis says. */
    Set<String> missing(String bucket, Collection<String> ids) {
        return Left.missing(store, bucket, ids);
    }

    @Override
    public void close() {
        connection.close();
        suite.close();
        ways.values().forEach(FlakyProxy::close);
        redisWay.close();
        redis.close();
        closeOther();
        disk.ifPresent(SmallDisk::close);
    }
}
