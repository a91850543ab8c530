package io.millrace.benchmarks;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.millrace.benchmarks.suite.CpuCosts;
import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.Pace;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.benchmarks.suite.RedisReads;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.suite.EventingNode;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The measured suite, with a writer in this process that keeps a window of writes in flight. */
final class BenchSuite implements AutoCloseable {

    /** Display name of the process of the benchmark, which writes what is handled. */
    static final String BENCHMARK = "writer";

    private static final int WRITES_IN_FLIGHT = 256;
    private static final int SHARD = 0;
    private static final JsonMapper JSON = new JsonMapper();

    private final Suite suite;
    private final RedisConnection redis;
    private final RedisDocumentStore store;
    private final FunctionsClient functions;

    private BenchSuite(Suite suite) {
        this.suite = suite;
        redis = RedisConnection.open(suite.redisUrl());
        store = redis.documentStore();
        functions = new FunctionsClient(suite.url(Service.GATEWAY), suite.login());
    }

    static BenchSuite start() throws IOException {
        return new BenchSuite(FreshSuite.start());
    }

    String url(Service service) {
        return suite.url(service).toString();
    }

    String redisUrl() {
        return suite.redisUrl();
    }

    /** Returns the value of the header {@code Authorization} of the administrator. */
    String authorization() {
        return suite.login().authorization();
    }

    void createBucket(String name) {
        store.catalog().createBucket(name, 1).join();
    }

    void deploy(String name, String code, String source, String destination, String metadata)
            throws IOException, InterruptedException {
        functions.create(name, code, source, destination, metadata);
        functions.deploy(name);
    }

    void create(String name, String code, String source, String destination, String metadata, Map<String, ?> settings)
            throws IOException, InterruptedException {
        functions.create(name, code, source, destination, metadata, settings);
    }

    void deploy(String name) throws IOException, InterruptedException {
        functions.deploy(name);
    }

    JsonNode definition(String name) throws IOException, InterruptedException {
        return functions.definition(name);
    }

    RedisAsyncCommands<byte[], byte[]> commands() {
        return redis.commands();
    }

    /** Returns a number in a document. */
    long number(String bucket, String id, String field) {
        Document document =
                store.get(new DocumentKey(Keyspace.of(bucket), id)).join().orElseThrow();
        return JSON.readTree(document.body()).path(field).asLong();
    }

    void undeploy(String name) throws IOException, InterruptedException {
        functions.undeploy(name);
    }

    void pause(String name) throws IOException, InterruptedException {
        functions.pause(name);
    }

    void resume(String name) throws IOException, InterruptedException {
        functions.resume(name);
    }

    String workerRuntime(String name) throws IOException, InterruptedException {
        return functions.workerRuntime(name);
    }

    /** Sets plain strings, with as many in flight as {@link #write}. */
    void plainSets(int count) throws InterruptedException {
        RedisAsyncCommands<byte[], byte[]> commands = redis.commands();
        Window window = new Window();
        for (int i = 0; i < count; i++) {
            window.enter();
            byte[] key = ("plain:" + i).getBytes(StandardCharsets.UTF_8);
            RedisFuture<String> answer = commands.set(key, SampleDocuments.body(i, System.currentTimeMillis()));
            answer.whenComplete((done, failure) -> window.leave(failure));
        }
        window.drain();
    }

    /** Writes documents as fast as the window allows. */
    void write(String bucket, int first, int count) throws InterruptedException {
        writePaced(bucket, first, count, Integer.MAX_VALUE);
    }

    /** Writes documents at a steady rate per second. */
    void writePaced(String bucket, int first, int count, int rate) throws InterruptedException {
        writePaced(
                bucket,
                i -> first + i,
                count,
                rate,
                number -> SampleDocuments.body(number, System.currentTimeMillis()));
    }

    /** Writes documents as fast as the window allows, each write as {@code change} makes it. */
    void writeAs(String bucket, int first, int count, UnaryOperator<Write> change) throws InterruptedException {
        writePaced(
                bucket,
                i -> first + i,
                count,
                Integer.MAX_VALUE,
                number -> SampleDocuments.body(number, System.currentTimeMillis()),
                change);
    }

    /** Writes documents of another kind as fast as the window allows. */
    void write(String bucket, int first, int count, IntFunction<byte[]> body) throws InterruptedException {
        writePaced(bucket, i -> first + i, count, Integer.MAX_VALUE, body);
    }

    /** Writes documents at even distances among the first {@code documents}, as fast as the window allows. */
    void writeSpread(String bucket, int documents, int count) throws InterruptedException {
        long step = Math.max(1, documents / count);
        writePaced(
                bucket,
                i -> Math.toIntExact(i * step % documents),
                count,
                Integer.MAX_VALUE,
                number -> SampleDocuments.body(number, System.currentTimeMillis()));
    }

    private void writePaced(String bucket, IntUnaryOperator numbers, int count, int rate, IntFunction<byte[]> body)
            throws InterruptedException {
        writePaced(bucket, numbers, count, rate, body, write -> write);
    }

    private void writePaced(
            String bucket,
            IntUnaryOperator numbers,
            int count,
            int rate,
            IntFunction<byte[]> body,
            UnaryOperator<Write> change)
            throws InterruptedException {
        Window window = new Window();
        Pace pace = new Pace(rate);
        for (int i = 0; i < count; i++) {
            pace.awaitTurn(i);
            window.enter();
            int number = numbers.applyAsInt(i);
            DocumentKey key = new DocumentKey(Keyspace.of(bucket), SampleDocuments.id(number));
            store.write(change.apply(Write.upsert(key, body.apply(number))))
                    .whenComplete((done, failure) -> window.leave(failure));
        }
        window.drain();
    }

    /** Returns how many changes a function has handled. */
    long updated(String function) throws IOException, InterruptedException {
        return functions.updated(function);
    }

    /** Waits until a function has handled so many changes. */
    void awaitUpdated(String function, long count) throws IOException, InterruptedException {
        while (updated(function) < count) {
            pause(Duration.ofMillis(50));
        }
    }

    /** Returns what Redis has read so far. */
    RedisReads reads() {
        return redis.reads();
    }

    /** Returns how many mutations a bucket has had. */
    long mutations(String bucket) {
        // the lower 42 bits of a seqno count the mutations of an incarnation
        return store.highSeqno(bucket, SHARD).join() & ((1L << 42) - 1);
    }

    /** Waits until a bucket has had {@code count} mutations more than {@code before}. */
    void awaitHandled(String bucket, long before, long count) throws InterruptedException {
        while (mutations(bucket) - before < count) {
            pause(Duration.ofMillis(2));
        }
    }

    /** Returns the time from the creation of a document to the start of the handler, read from the handled copy. */
    long millisToHandler(DocumentKey handled) {
        return millisToHandler(store.get(handled).join().orElseThrow().body());
    }

    /** Returns how long a document waited that its handler has marked. */
    static long millisToHandler(byte[] handled) {
        JsonNode document = JSON.readTree(handled);
        return document.path("startedAt").asLong() - document.path("madeAt").asLong();
    }

    /** Passes every document of a bucket, as JSON, to the consumer. */
    void forEach(String bucket, Consumer<JsonNode> reader) {
        ChangePage page = new ChangePage(List.of(), 0, true);
        while (page.more()) {
            var next = new ChangePage.Request(page.position(), false, 1000, true);
            page = store.page(bucket, SHARD, next).join();
            page.mutations()
                    .forEach(mutation ->
                            reader.accept(JSON.readTree(mutation.document().body())));
        }
    }

    /** Starts an additional eventing node. */
    EventingNode startNode(String id) {
        return suite.startNode(id, suite.redisUrl());
    }

    /** Waits until this many nodes share the vbuckets of a function as planned and none is moving. */
    void awaitBalanced(String function, int nodes) throws IOException, InterruptedException {
        functions.awaitBalanced(function, nodes);
    }

    long pid(Service service) {
        return suite.pid(service);
    }

    long redisPid() {
        return redis.pid();
    }

    /** Returns the ids of the measured processes, by display name. */
    Map<String, Long> processes() {
        Map<String, Long> pids = new LinkedHashMap<>();
        pids.put(BENCHMARK, ProcessHandle.current().pid());
        pids.put("redis", redis.pid());
        long eventing = suite.pid(Service.EVENTING);
        pids.put(Service.EVENTING.moduleName(), eventing);
        // one of them may be warm and wait for functions
        List<Long> workers = ProcessHandle.of(eventing).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .sorted()
                .toList();
        for (int i = 0; i < workers.size(); i++) {
            pids.put(i == 0 ? CpuCosts.WORKER : CpuCosts.WORKER + "-" + (i + 1), workers.get(i));
        }
        return pids;
    }

    Map<String, Duration> cpu() {
        return ProcessUsage.cpu(processes());
    }

    void pause(Duration duration) throws InterruptedException {
        LockSupport.parkNanos(duration.toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public void close() {
        redis.close();
        suite.close();
    }

    /** Limits the writes in flight and keeps the first failure. */
    private static final class Window {

        private final Semaphore free = new Semaphore(WRITES_IN_FLIGHT);
        private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();

        void enter() throws InterruptedException {
            free.acquire();
            check();
        }

        void leave(@Nullable Throwable failure) {
            if (failure != null) {
                failed.compareAndSet(null, failure);
            }
            free.release();
        }

        void drain() throws InterruptedException {
            free.acquire(WRITES_IN_FLIGHT);
            check();
        }

        private void check() {
            Throwable failure = failed.get();
            if (failure != null) {
                throw new IllegalStateException("A write failed: " + failure.getMessage(), failure);
            }
        }
    }
}
