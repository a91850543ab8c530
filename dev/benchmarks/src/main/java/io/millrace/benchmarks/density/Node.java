package io.millrace.benchmarks.density;

import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.FileTree;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A suite of one eventing node, with the requests of a user and the view of the operating system. */
final class Node implements AutoCloseable {

    private static final String METADATA = "eventing";

    private final Suite suite;
    private final Path directory;
    private final RedisConnection redis;
    private final RedisDocumentStore store;
    private final FunctionsClient functions;

    private Node(Suite suite, Path directory) {
        this.suite = suite;
        this.directory = directory;
        redis = RedisConnection.open(suite.redisUrl());
        store = redis.documentStore();
        functions = new FunctionsClient(suite.url(Service.GATEWAY), suite.login());
        createBucket(METADATA);
    }

    static Node start() throws IOException {
        Path directory = Files.createTempDirectory("millrace-density");
        // as users start it; a container has class archives as well
        return new Node(Suite.start(FreshSuite.settings(directory).quickStarts()), directory);
    }

    void createBucket(String name) {
        store.catalog().createBucket(name, 1).join();
    }

    RedisDocumentStore store() {
        return store;
    }

    FunctionsClient functions() {
        return functions;
    }

    void create(String name, String code, String source, String destination) throws IOException, InterruptedException {
        functions.create(name, code, source, destination, METADATA);
    }

    static String definition(String name, String code, String source, String destination) {
        return FunctionsClient.definition(name, code, source, destination, METADATA, Map.of());
    }

    /** Ends eventing-service as a crash does; the suite starts it again. */
    void kill() throws InterruptedException {
        suite.kill9(Service.EVENTING);
    }

    /** Returns the processes of the node: eventing-service, its workers, and Redis. */
    Map<String, Long> processes() {
        Map<String, Long> pids = new LinkedHashMap<>();
        pids.put("redis", redis.pid());
        long eventing = suite.pid(Service.EVENTING);
        pids.put("eventing-service", eventing);
        ProcessHandle.of(eventing).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .sorted()
                .forEach(pid -> pids.put("worker " + pid, pid));
        return pids;
    }

    List<Long> pids() {
        return new ArrayList<>(processes().values());
    }

    Map<String, Duration> cpu() {
        return ProcessUsage.cpu(processes());
    }

    static void pause(Duration duration) throws InterruptedException {
        long until = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public void close() throws IOException {
        redis.close();
        suite.close();
        FileTree.delete(directory);
    }
}
