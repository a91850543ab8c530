package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.kafka.KafkaTopics;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.runtime.Membership;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.eventing.topics.Channels;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.eventing.topics.TopicStore.Given;
import io.millrace.testkit.FlakyProxy;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.timers.redis.RedisTimerStore;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.KafkaClusters;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.WorkerSetup;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A runtime on a real Redis with the worker distribution of this build. */
final class RealWorkers implements AutoCloseable {

    static final KafkaClusters CLUSTERS = new KafkaClusters(Path.of("target", "kafka"));

    static final KafkaTopics KAFKA = new KafkaTopics(CLUSTERS, "test");

    private static final int UNANSWERED_WRITES = 64;
    private static final int PARTITIONS = 16;
    private static final int CONTEXT_BYTES = 1024;

    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisChangeNotifier notifier;
    private final Channels channels;
    private final String workersRedisUrl;
    private final String source;
    private final String target;
    private final String instance;
    private final int shards;
    final RedisDocumentStore documents;
    final List<String> log = new CopyOnWriteArrayList<>();
    private final SuperSupervisor supervisor;
    private volatile InstantSource clock = InstantSource.system();
    private volatile List<String> schedules = List.of();
    private final String node;
    private final Membership membership;
    private volatile boolean leaseForgotten;
    private volatile Duration checkpointInterval = Duration.ofMillis(200);
    private volatile String language = "7.2.0";
    private volatile Placement placement = new Placement("", Placement.Isolation.SHARED);
    private final List<WorkerSetup.Alias> aliases = new ArrayList<>();
    private final LongAdder milestones = new LongAdder();
    private volatile boolean closed;
    private volatile SpanSink spans = SpanSink.NONE;
    private volatile Function<Supplier<CompletableFuture<Given>>, CompletableFuture<Given>> topicReads = Supplier::get;

    /** Follows changes only if their client asks for it. */
    private final TraceSampler sampler = new TraceSampler(0, 100, System::nanoTime);

    /** @param name makes the buckets and the function id this test's own */
    RealWorkers(String redisUrl, String name) {
        this(redisUrl, name, "node");
    }

    /** Another node has the same functions and buckets. */
    RealWorkers(String redisUrl, String name, String node) {
        this(redisUrl, name, node, name);
    }

    /** @param instance names the function: there may be several over the same buckets */
    RealWorkers(String redisUrl, String name, String node, String instance) {
        this(redisUrl, redisUrl, name, node, instance, Membership.alone(node), 1);
    }

    /** @param shards how many index shards the buckets have */
    RealWorkers(String redisUrl, String name, int shards) {
        this(redisUrl, redisUrl, name, "node", name, Membership.alone("node"), shards);
    }

    /** @param membership says with whom this node shares the vbuckets */
    RealWorkers(String redisUrl, String name, String node, Membership membership) {
        this(redisUrl, redisUrl, name, node, name, membership, 1);
    }

    /** @param toRedis the only way from the workers to Redis; the service has its own */
    static RealWorkers behind(FlakyProxy toRedis, String redisUrl, String name) {
        return new RealWorkers(redisUrl, toRedis.redisUrl(), name, "node", name, Membership.alone("node"), 1);
    }

    private RealWorkers(
            String redisUrl,
            String workersRedisUrl,
            String name,
            String node,
            String instance,
            Membership membership,
            int shards) {
        this.shards = shards;
        this.membership = membership;
        this.workersRedisUrl = workersRedisUrl;
        this.source = name + "-source";
        this.target = name + "-target";
        this.instance = instance;
        RedisURI uri = RedisURI.create(redisUrl);
        uri.setTimeout(Duration.ofSeconds(5));
        this.client = RedisClient.create(uri);
        this.connection = client.connect(ByteArrayCodec.INSTANCE);
        this.notifier = new RedisChangeNotifier(() -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
        this.channels = new Channels(() -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
        this.documents = new RedisDocumentStore(
                () -> CompletableFuture.completedFuture(connection.async()), notifier, InstantSource.system());
        List.of(source, target).forEach(this::createBucket);
        alias("target", target);
        this.node = node;
        this.supervisor = newSupervisor(node);
    }

    private void createBucket(String bucket) {
        if (documents.catalog().find(bucket).join().isEmpty()) {
            documents.catalog().createBucket(bucket, shards).join();
        }
    }

    private SuperSupervisor newSupervisor(String node) {
        CheckpointStore checkpoints =
                CheckpointStore.onRedis(() -> CompletableFuture.completedFuture(connection.async()));
        RuntimeEnvironment environment = new RuntimeEnvironment(
                node,
                workersRedisUrl,
                countingMilestones(),
                checkpoints,
                TestHosts.get(),
                (function, lines) -> lines.stream().map(LogLine::text).forEach(log::add),
                () -> clock.instant(),
                RuntimeSettings.DEFAULT,
                DeliverySettings.DEFAULT,
                HandlerSettings.Access.PUBLIC,
                timers(),
                new TimerWatch(
                        timers(),
                        () -> clock.instant(),
                        (bucket, shard, rung) -> notifier.subscribe(RedisTimerStore.topic(bucket, shard), rung)::close),
                deadLetters(),
                lastHandled(),
                membership,
                sampler,
                traced -> spans.accept(traced),
                topics(),
                channels,
                KAFKA);
        return new SuperSupervisor(environment, new NodeLeases(node, unlessForgotten(checkpoints), NodeLeases.LEASE));
    }

    /** Asking for the newest number of a shard is the last that a milestone needs. */
    private DocumentStore countingMilestones() {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(documents, arguments);
                    return method.getName().equals("highSeqno")
                            ? ((CompletableFuture<?>) answer).whenComplete((seqno, failure) -> milestones.increment())
                            : answer;
                });
    }

    private TopicStore topics() {
        TopicStore store = TopicStore.onRedis(() -> CompletableFuture.completedFuture(connection.async()));
        return (TopicStore) Proxy.newProxyInstance(
                TopicStore.class.getClassLoader(),
                new Class<?>[] {TopicStore.class},
                (proxy, method, arguments) -> method.getName().equals("next")
                        ? topicReads.apply(
                                () -> store.next((String) arguments[0], (String) arguments[1], (int) arguments[2]))
                        : method.invoke(store, arguments));
    }

    /** Has reads of topics go through this. */
    void topicReads(Function<Supplier<CompletableFuture<Given>>, CompletableFuture<Given>> reads) {
        topicReads = reads;
    }

    /** Returns how many milestones were noted, and how often vbuckets were claimed. */
    long milestones() {
        return milestones.sum();
    }

    /** The checkpoints, with renewals of the lease that do nothing once it was forgotten. */
    private CheckpointStore unlessForgotten(CheckpointStore store) {
        return (CheckpointStore) Proxy.newProxyInstance(
                CheckpointStore.class.getClassLoader(),
                new Class<?>[] {CheckpointStore.class},
                (proxy, method, arguments) -> method.getName().equals("renew") && leaseForgotten
                        ? CompletableFuture.completedFuture("")
                        : method.invoke(store, arguments));
    }

    /** Returns the nodes that have vbuckets of the function. */
    Set<String> owners() {
        return CheckpointStore.onRedis(() -> CompletableFuture.completedFuture(connection.async()))
                .read(spec("").checkpoints())
                .join()
                .stream()
                .map(Checkpoint::owner)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Ends the lease of this node in Redis; the node goes on as if it had it. */
    void forgetLease() {
        leaseForgotten = true;
        CheckpointStore.onRedis(() -> CompletableFuture.completedFuture(connection.async()))
                .renew(source, node, Duration.ZERO)
                .join();
    }

    DeadLetterStore deadLetters() {
        return DeadLetterStore.onRedis(() -> CompletableFuture.completedFuture(connection.async()), notifier);
    }

    LastHandledStore lastHandled() {
        return LastHandledStore.onRedis(() -> CompletableFuture.completedFuture(connection.async()));
    }

    RedisTimerStore timers() {
        return new RedisTimerStore(() -> CompletableFuture.completedFuture(connection.async()));
    }

    SuperSupervisor supervisor() {
        return supervisor;
    }

    FunctionSpec spec(String code) {
        return new FunctionSpec(
                new FunctionSpec.Identity("f", instance, instance, 1),
                code,
                new FunctionSpec.Language(language, List.of("'use strict';"), List.of(), false),
                new FunctionSpec.Source(Keyspace.of(source), FeedBoundary.EVERYTHING, ""),
                Keyspace.of(source),
                new FunctionSpec.Workers(1, 2, placement),
                new FunctionSpec.Limits(Duration.ofSeconds(5), 64L * 1024 * 1024, FunctionSpec.STANDARD_HOP_LIMIT),
                checkpointInterval,
                "INFO",
                List.copyOf(aliases),
                handler(),
                Handling.AS_COUCHBASE);
    }

    private HandlerSettings handler() {
        String traced = language.equals("5.0.0") ? "_default._default" : "";
        return HandlerSettings.STANDARD.withTimers(new HandlerSettings.TimerSettings(
                source, shards, instance, PARTITIONS, CONTEXT_BYTES, 2, 50, traced, schedules));
    }

    /** Sets how often functions that are started from now on save checkpoints. */
    RealWorkers checkpointInterval(Duration interval) {
        checkpointInterval = interval;
        return this;
    }

    /** Has workers of functions that are started from now on share processes or not. */
    RealWorkers isolation(Placement.Isolation isolation) {
        placement = new Placement("", isolation);
        return this;
    }

    /** Sets the clock of the service by which it fires timers; that of the workers stays. */
    void clock(InstantSource another) {
        clock = another;
    }

    /** Has functions that are started from now on declare schedules. */
    void schedules(String... lines) {
        schedules = List.of(lines);
    }

    /** Lets functions that are started from now on write to the source bucket by this name. */
    void sourceAlias(String name) {
        alias(name, source);
    }

    /** Lets functions that are started from now on write to the target bucket by this name as well. */
    void targetAlias(String name) {
        alias(name, target);
    }

    /** Lets functions that are started from now on write to a bucket by this name. */
    void alias(String name, String bucket) {
        aliases.add(new WorkerSetup.Alias(name, bucket, Keyspace.DEFAULT, Keyspace.DEFAULT, true));
    }

    /** Writes a document of the source bucket. */
    void putSource(String id, String json) {
        put(source, id, json);
    }

    /** Writes a document of the target bucket. */
    void putTarget(String id, String json) {
        put(target, id, json);
    }

    private void put(String bucket, String id, String json) {
        written(Write.upsert(new DocumentKey(Keyspace.of(bucket), id), json.getBytes(StandardCharsets.UTF_8)))
                .join();
    }

    /** Returns the incarnations of the buckets. */
    List<Long> incarnations() {
        return documents.catalog().list().join().stream()
                .map(BucketInfo::incarnation)
                .toList();
    }

    /** Takes what functions do with changes that are traced. */
    void spans(SpanSink sink) {
        spans = sink;
    }

    String source() {
        return source;
    }

    /** Returns the name of the target bucket. */
    String target() {
        return target;
    }

    /** Returns a document of the target bucket. */
    String target(String id) {
        return document(target, id);
    }

    /** Returns a document of the source bucket. */
    String source(String id) {
        return document(source, id);
    }

    /** A missing document is a failed assertion, for which {@code untilAsserted} waits. */
    private String document(String bucket, String id) {
        Optional<Document> found =
                documents.get(new DocumentKey(Keyspace.of(bucket), id)).join();
        assertThat(found).as("document %s of %s", id, bucket).isPresent();
        return new String(found.get().body(), StandardCharsets.UTF_8);
    }

    /** Has functions that are started from now on speak the language of the first design. */
    void firstDesign() {
        language = "5.0.0";
    }

    void start(String code) {
        supervisor.start(spec(code)).join();
    }

    RuntimeStats stats() {
        return supervisor.stats("f").join().orElseThrow();
    }

    long pid() {
        return stats().workers().getFirst().pid();
    }

    /** Writes {@code {"n": 1}}, {@code {"n": 2}} and so on into documents d0 to d(documents-1), round by round. */
    void write(int documentCount, int firstRound, int lastRound) {
        Deque<CompletableFuture<?>> unanswered = new ArrayDeque<>();
        for (int round = firstRound; round <= lastRound; round++) {
            for (int i = 0; i < documentCount; i++) {
                byte[] body = "{\"n\":%d}".formatted(round).getBytes(StandardCharsets.UTF_8);
                unanswered.add(written(Write.upsert(new DocumentKey(Keyspace.of(source), "d" + i), body)));
                if (unanswered.size() >= UNANSWERED_WRITES) {
                    unanswered.removeFirst().join();
                }
            }
        }
        unanswered.forEach(CompletableFuture::join);
    }

    /** Writes new documents that differ in a number behind the prefix; returns their ids. */
    List<String> create(String prefix, int count) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        ids.stream()
                .map(id -> written(Write.upsert(new DocumentKey(Keyspace.of(source), id), body)))
                .toList()
                .forEach(CompletableFuture::join);
        return ids;
    }

    /** A write that is repeated until Redis took it; its transaction id makes that safe. */
    private CompletableFuture<Void> written(Write write) {
        return documents
                .write(write)
                .<Void>thenApply(done -> null)
                .exceptionallyCompose(failure -> CompletableFuture.supplyAsync(
                                () -> written(write), CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS))
                        .thenCompose(again -> again));
    }

    /** Returns the ids of source documents that say that timers wait for them. */
    List<String> traces() {
        return everyDocument(source).stream()
                .filter(document -> {
                    byte[] attributes = document.systemXattrs();
                    return attributes != null && new String(attributes, StandardCharsets.UTF_8).contains(instance);
                })
                .map(document -> document.key().id())
                .toList();
    }

    /** Returns the n of every document of the target bucket. */
    Map<String, Integer> results() {
        Map<String, Integer> results = new HashMap<>();
        everyDocument(target).forEach(document -> results.put(document.key().id(), StepsBack.number(document)));
        return results;
    }

    private List<Document> everyDocument(String bucket) {
        List<Document> found = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            ChangePage page = new ChangePage(List.of(), 0, true);
            while (page.more()) {
                var next = new ChangePage.Request(page.position(), false, 1000, true);
                page = documents.page(bucket, shard, next).join();
                page.mutations().forEach(mutation -> found.add(mutation.document()));
            }
        }
        return found;
    }

    /** Follows the target bucket and collects every step back that a document takes. */
    List<String> watchForStepsBack() {
        return StepsBack.watch(documents, target, () -> closed);
    }

    @Override
    public void close() {
        closed = true;
        supervisor.close();
        documents.close();
        notifier.close();
        channels.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    }
}
