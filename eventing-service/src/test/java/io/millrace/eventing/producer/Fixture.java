package io.millrace.eventing.producer;

import io.millrace.documents.Branch;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.checkpoint.CheckpointStore.Claim;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.FakeWorkers;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.deadletter.DeadLetterStore;
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
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.Span;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A runtime over stores in memory that can fail, and fake workers. */
final class Fixture implements AutoCloseable {

    static final String BUCKET = "source";

    private static final Placement SHARED = new Placement("", Placement.Isolation.SHARED);

    final MemoryDocumentStore documents = new MemoryDocumentStore(InstantSource.system());
    final FlakyCheckpoints checkpoints = new FlakyCheckpoints();
    final MemoryTimerStore timers = new MemoryTimerStore();
    final LastHandledStore lastHandled = LastHandledStore.inMemory(checkpoints);
    final DeadLetterStore deadLetters = DeadLetterStore.inMemory(checkpoints);
    final FakeWorkers workers = new FakeWorkers();
    final List<Span> spans = new CopyOnWriteArrayList<>();
    final List<String> log = new CopyOnWriteArrayList<>();

    /** Calls of the feed and of the document store that are to fail before one succeeds again. */
    final AtomicInteger feedFailures = new AtomicInteger();

    /** What the next page of the feed is to fail with, once; breaks the reader. */
    volatile @Nullable RuntimeException feedCrash;

    /** Changes what the feed hands out. */
    volatile UnaryOperator<Mutation> tamper = mutation -> mutation;

    /** The run of Redis, as the documents name it. */
    volatile String run = "";

    final AtomicLong rowsRead = new AtomicLong();

    /** The vbuckets of what was handed out, for each feed that was opened. */
    final List<Set<Integer>> vbucketsRead = new CopyOnWriteArrayList<>();

    /** How many states were asked for of those that were handled last. */
    final AtomicLong statesRead = new AtomicLong();

    private final TopicStore topics;
    private final Duration silenceTimeout;
    private AtomicBoolean dead = new AtomicBoolean();
    private SuperSupervisor supervisor;

    Fixture() {
        this(1);
    }

    Fixture(int shards) {
        this(shards, Duration.ofMinutes(1));
    }

    Fixture(int shards, Duration silenceTimeout) {
        this(
                shards,
                silenceTimeout,
                TopicStore.onRedis(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))));
    }

    Fixture(int shards, Duration silenceTimeout, TopicStore topics) {
        this.topics = topics;
        this.silenceTimeout = silenceTimeout;
        this.supervisor = newSupervisor("node-1");
        documents.catalog().createBucket(BUCKET, shards).join();
        documents.catalog().createBucket("meta", 1).join();
    }

    SuperSupervisor supervisor() {
        return supervisor;
    }

    SuperSupervisor newSupervisor(String node) {
        return newSupervisor(node, Membership.alone(node), checkpoints, NodeLeases.LEASE);
    }

    SuperSupervisor newSupervisor(String node, Membership membership, CheckpointStore store, Duration lease) {
        RuntimeEnvironment environment = new RuntimeEnvironment(
                node,
                "redis://nowhere",
                flaky(documents),
                store,
                new WorkersOfOneLife(workers, dead),
                (function, lines) -> lines.stream().map(LogLine::text).forEach(log::add),
                InstantSource.system(),
                settings(),
                delivery(),
                HandlerSettings.Access.PUBLIC,
                timers,
                new TimerWatch(timers, InstantSource.system()),
                deadLetters,
                counting(lastHandled),
                membership,
                TraceSampler.NEVER,
                spans::addAll,
                topics,
                new Channels(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))),
                RealWorkers.KAFKA);
        return new SuperSupervisor(environment, new NodeLeases(node, store, lease));
    }

    /** What a kill -9 of the service leaves behind: no goodbye, a new supervisor. */
    void crashAndRestart() {
        dead.set(true);
        checkpoints.cutOff();
        workers.living().forEach(FakeWorkers.Life::kill);
        Thread.startVirtualThread(supervisor::close);
        dead = new AtomicBoolean();
        supervisor = newSupervisor("node-1");
    }

    private static RuntimeSettings settings() {
        return new RuntimeSettings(
                1000,
                8L * 1024 * 1024,
                Duration.ofMillis(1),
                Duration.ofMillis(20),
                Duration.ofMillis(1),
                Duration.ofMillis(20),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
    }

    private DeliverySettings delivery() {
        DeliverySettings usual = DeliverySettings.DEFAULT;
        return new DeliverySettings(
                usual.batchEvents(),
                usual.batchBytes(),
                usual.batchTime(),
                usual.windowBatches(),
                usual.waitingEvents(),
                usual.waitingBytes(),
                Duration.ofSeconds(5),
                // a worker's patience with Redis is added to this
                Duration.ofMillis(100 - WorkerProtocolLimits.MIN_WRITE_PATIENCE_MILLIS),
                silenceTimeout,
                Duration.ofMillis(500),
                Duration.ofMillis(10),
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                usual.poisonDeaths());
    }

    static FunctionSpec spec() {
        return new FunctionSpec(
                new FunctionSpec.Identity("f", "instance-1", "id-1", 1),
                "function OnUpdate(doc, meta) {}",
                new FunctionSpec.Language("7.2.0", List.of("'use strict';"), List.of(), false),
                new FunctionSpec.Source(Keyspace.of(BUCKET), FeedBoundary.EVERYTHING, ""),
                Keyspace.of("meta"),
                new FunctionSpec.Workers(1, 2, SHARED),
                new FunctionSpec.Limits(Duration.ofSeconds(2), 128L * 1024 * 1024, FunctionSpec.STANDARD_HOP_LIMIT),
                Duration.ofMillis(20),
                "INFO",
                List.of(),
                HandlerSettings.STANDARD,
                Handling.AS_COUCHBASE);
    }

    static FunctionSpec with(FunctionSpec spec, UnaryOperator<SpecChanges> changes) {
        return changes.apply(new SpecChanges(spec)).spec();
    }

    void put(String id) {
        put(Keyspace.of(BUCKET), id, null);
    }

    void put(Keyspace keyspace, String id, @Nullable Origin origin) {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        documents
                .write(Write.upsert(new DocumentKey(keyspace, id), body).withOrigin(origin))
                .join();
    }

    /** Returns the seqno of a document's last change. */
    long seqno(String id) {
        return documents
                .get(new DocumentKey(Keyspace.of(BUCKET), id))
                .join()
                .orElseThrow()
                .seqno();
    }

    List<String> putMany(String prefix, int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(prefix + i);
            put(prefix + i);
        }
        return ids;
    }

    RuntimeStats stats() {
        return supervisor.stats("f").join().orElseThrow();
    }

    long execution(String counter) {
        return stats().execution().getOrDefault(counter, -1L);
    }

    long processing(String counter) {
        return stats().processing().getOrDefault(counter, -1L);
    }

    /** Returns where each vbucket's checkpoint stands, without claiming anything. */
    long checkpoint(int vbucket) {
        return checkpoints.last(vbucket);
    }

    @Override
    public void close() {
        checkpoints.mend();
        feedFailures.set(0);
        supervisor.close();
    }

    /** The documents, with feeds that fail on demand and count their rows. */
    private DocumentStore flaky(DocumentStore store) {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        if (method.getName().equals("branch")) {
                            return ((CompletableFuture<?>) result).thenApply(none -> new Branch(List.of(), run));
                        }
                        return result instanceof ChangeFeed feed ? new FlakyFeed(feed) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private LastHandledStore counting(LastHandledStore store) {
        return new LastHandledStore() {
            @Override
            public CompletableFuture<Integer> remember(CheckpointGroup group, List<Handled> handled) {
                return store.remember(group, handled);
            }

            @Override
            public CompletableFuture<List<byte @Nullable []>> recall(CheckpointGroup group, List<String> documents) {
                statesRead.addAndGet(documents.size());
                return store.recall(group, documents);
            }

            @Override
            public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
                return store.deleteAll(group);
            }
        };
    }

    private final class FlakyFeed implements ChangeFeed {

        private final ChangeFeed feed;
        private final Set<Integer> vbuckets = ConcurrentHashMap.newKeySet();

        FlakyFeed(ChangeFeed feed) {
            this.feed = feed;
            vbucketsRead.add(vbuckets);
        }

        @Override
        public CompletableFuture<List<Mutation>> next(int max) {
            if (feedFailures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return CompletableFuture.failedFuture(
                        DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is away"));
            }
            return feed.next(max).thenApply(page -> {
                RuntimeException crash = feedCrash;
                if (crash != null && !page.isEmpty()) {
                    feedCrash = null;
                    throw crash;
                }
                rowsRead.addAndGet(page.size());
                page.forEach(mutation -> vbuckets.add(mutation.document().key().vbucket()));
                return page.stream().map(tamper).toList();
            });
        }

        @Override
        public long position() {
            return feed.position();
        }

        @Override
        public void close() {
            feed.close();
        }
    }

    /** Checkpoints that fail on demand and show every save. */
    static final class FlakyCheckpoints implements CheckpointStore {

        private final CheckpointStore store = CheckpointStore.inMemory(InstantSource.system());
        private final long[] last = new long[1024];
        final AtomicInteger failures = new AtomicInteger();
        volatile java.util.function.Consumer<Checkpoint> onSave = checkpoint -> {};
        volatile Runnable onGiveUp = () -> {};
        private volatile long cutOffEpoch;
        private volatile long lastEpoch;

        @Override
        public CompletableFuture<Claim> claim(CheckpointGroup group, String owner, VbucketSet wanted) {
            if (fails()) {
                return away();
            }
            return store.claim(group, owner, wanted).thenApply(claim -> {
                lastEpoch = claim.epoch();
                return claim;
            });
        }

        @Override
        public CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints) {
            return seen(checkpoints) ? store.save(group, checkpoints) : away();
        }

        @Override
        public CompletableFuture<List<Integer>> giveUp(CheckpointGroup group, List<Checkpoint> checkpoints) {
            onGiveUp.run();
            return seen(checkpoints) ? store.giveUp(group, checkpoints) : away();
        }

        private boolean seen(List<Checkpoint> checkpoints) {
            if (fails() || (!checkpoints.isEmpty() && checkpoints.getFirst().epoch() <= cutOffEpoch)) {
                return false;
            }
            for (Checkpoint checkpoint : checkpoints) {
                onSave.accept(checkpoint);
                last[checkpoint.vbucket()] = checkpoint.seqno();
            }
            return true;
        }

        @Override
        public CompletableFuture<List<Checkpoint>> read(CheckpointGroup group) {
            return fails() ? away() : store.read(group);
        }

        @Override
        public CompletableFuture<Renewed> renew(String metadataBucket, String node, Duration lease) {
            return store.renew(metadataBucket, node, lease);
        }

        @Override
        public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
            return fails() ? away() : store.deleteAll(group);
        }

        /** Fences every claim made so far. */
        void cutOff() {
            cutOffEpoch = lastEpoch;
        }

        void mend() {
            failures.set(0);
            cutOffEpoch = 0;
        }

        long last(int vbucket) {
            return last[vbucket];
        }

        private boolean fails() {
            return failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        }

        private static <T> CompletableFuture<T> away() {
            return CompletableFuture.failedFuture(new IllegalStateException("Redis is away"));
        }
    }
}
