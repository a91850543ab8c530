package io.millrace.benchmarks.lives;

import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.FileTree;
import io.millrace.launcher.suite.EventingNode;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A suite as {@code ./millrace up} starts it, with another eventing node now and then. */
final class LivesNode implements AutoCloseable {

    static final String METADATA = "eventing";

    private static final String WORKER = "io.millrace.worker.host.Main";
    private static final String OTHER = "lives-b";

    private final Suite suite;
    private final Path directory;
    private final RedisConnection redis;
    private final RedisDocumentStore store;
    private final FunctionsClient functions;
    private @Nullable EventingNode other;

    private LivesNode(Suite suite, Path directory) {
        this.suite = suite;
        this.directory = directory;
        redis = RedisConnection.open(suite.redisUrl());
        store = redis.documentStore();
        functions = new FunctionsClient(suite.url(Service.GATEWAY), suite.login());
        createBucket(METADATA);
    }

    static LivesNode start(PrintStream out) throws IOException {
        Path directory = Files.createTempDirectory("millrace-lives");
        out.println("logs in " + directory.resolve("logs"));
        return new LivesNode(Suite.start(FreshSuite.settings(directory).oneProcess()), directory);
    }

    void createBucket(String name) {
        store.catalog().createBucket(name, 1).join();
    }

    void dropBucket(String name) {
        store.catalog().dropBucket(name).join();
    }

    RedisDocumentStore store() {
        return store;
    }

    FunctionsClient functions() {
        return functions;
    }

    /** Kills a worker process, as a crash does; returns whether there was one. */
    boolean killHost(RandomGenerator random) {
        List<ProcessHandle> hosts = new ArrayList<>();
        for (long pid : nodes()) {
            ProcessHandle.of(pid).stream()
                    .flatMap(ProcessHandle::children)
                    .filter(child -> child.info().commandLine().orElse("").contains(WORKER))
                    .forEach(hosts::add);
        }
        return !hosts.isEmpty() && hosts.get(random.nextInt(hosts.size())).destroyForcibly();
    }

    private List<Long> nodes() {
        EventingNode second = other;
        return Stream.concat(
                        Stream.of(suite.pid(Service.EVENTING)), second == null ? Stream.of() : Stream.of(second.pid()))
                .toList();
    }

    /** Kills the suite's process, which restarts. */
    void killNode() throws InterruptedException {
        suite.kill9(Service.EVENTING);
    }

    boolean hasOther() {
        return other != null;
    }

    /** Starts another node, to which vbuckets move by themselves. */
    void join() {
        other = suite.startNode(OTHER, suite.redisUrl());
    }

    /** Ends the other node, in order or as a crash does. */
    void leave(boolean inOrder) throws InterruptedException {
        EventingNode leaving = other;
        if (leaving != null && inOrder) {
            leaving.close();
        } else if (leaving != null) {
            leaving.kill9();
        }
        other = null;
    }

    @Override
    public void close() throws IOException {
        redis.close();
        suite.close();
        FileTree.delete(directory);
    }
}
