package io.millrace.benchmarks.kv;

import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.sasl.ScramMechanism;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The suite and its connections of the binary protocol. */
public final class KvSuite implements AutoCloseable {

    static final String USER = FreshSuite.USER;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Suite suite;
    private final RedisConnection redis;
    private final URI address;

    private KvSuite(Suite suite) {
        this.suite = suite;
        redis = RedisConnection.open(suite.redisUrl());
        address = URI.create(suite.sdkUrl());
    }

    public static KvSuite start() throws IOException {
        return new KvSuite(FreshSuite.start());
    }

    public RedisConnection redis() {
        return redis;
    }

    public void createBucket(String name) {
        redis.documentStore().catalog().createBucket(name, 1).join();
    }

    public MemcachedClient connect() throws IOException {
        return new MemcachedClient(address.getHost(), address.getPort(), TIMEOUT);
    }

    /** Returns the base URLs of the services by their names. */
    public Map<String, URI> urls() {
        return Arrays.stream(Service.values()).collect(Collectors.toMap(Service::moduleName, suite::url));
    }

    public Login login() {
        return suite.login();
    }

    /** Returns the ids of the processes of all services. */
    public Map<Service, Long> services() {
        Map<Service, Long> pids = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            pids.put(service, suite.pid(service));
        }
        return pids;
    }

    /** Creates a user whose password is that of the administrator. */
    void createUser(String name, String roles) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(suite.url(Service.GATEWAY).resolve("/settings/rbac/users/local/" + name))
                            .header("Authorization", suite.login().authorization())
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .PUT(HttpRequest.BodyPublishers.ofString(
                                    "roles=" + roles + "&password=" + FreshSuite.PASSWORD))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("The user was not created: " + answer.body());
            }
        }
    }

    /** Opens a connection of the administrator and selects a bucket. */
    public MemcachedClient open(String bucket, Feature... features) throws IOException {
        return openAs(USER, bucket, features);
    }

    /** Opens a connection, logs in and selects a bucket. */
    MemcachedClient openAs(String user, String bucket, Feature... features) throws IOException {
        MemcachedClient client = connect();
        client.hello(features);
        Status login = client.authenticate(ScramMechanism.SCRAM_SHA256, user, FreshSuite.PASSWORD);
        Status selected = client.selectBucket(bucket);
        if (login != Status.SUCCESS || selected != Status.SUCCESS) {
            throw new IOException("The login returned %s, selecting the bucket %s".formatted(login, selected));
        }
        return client;
    }

    /** Returns the ids of the measured processes, by display name. */
    Map<String, Long> processes() {
        Map<String, Long> pids = new LinkedHashMap<>();
        pids.put("client", ProcessHandle.current().pid());
        pids.put("redis", redis.pid());
        pids.put("subdoc-service", suite.pid(Service.SUBDOC));
        return pids;
    }

    @Override
    public void close() {
        redis.close();
        suite.close();
    }
}
