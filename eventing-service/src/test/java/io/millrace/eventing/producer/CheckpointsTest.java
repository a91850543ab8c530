package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.Membership;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.eventing.topics.Channels;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Vbuckets of a source with eight shards are taken over. */
@Timeout(60)
class CheckpointsTest {

    /** Those of the shards 1, 2 and 3. */
    private static final VbucketSet PART = VbucketSet.range(200, 400);

    private final MemoryDocumentStore memory = new MemoryDocumentStore(InstantSource.system());
    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();

    /** No shard answers before so many have been asked. */
    private volatile CountDownLatch together = new CountDownLatch(0);

    private volatile boolean failing;

    @BeforeEach
    void createBuckets() {
        memory.catalog().createBucket(Fixture.BUCKET, 8).join();
        memory.catalog().createBucket("meta", 1).join();
        for (int i = 0; i < 100; i++) {
            DocumentKey key = new DocumentKey(Keyspace.of(Fixture.BUCKET), "d" + i);
            memory.write(Write.upsert(key, "{}".getBytes(StandardCharsets.UTF_8)))
                    .join();
        }
    }

    @Test
    void takingOver_asksTheShardsOfTheVbucketsAtOnceAndNoOther() throws InterruptedException {
        together = new CountDownLatch(3);

        Checkpoints checkpoints = checkpoints();

        assertThat(checkpoints.claim(PART, retry())).isEqualTo(PART);
        assertThat(asked).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(checkpoints.owned()).isEqualTo(PART);
    }

    @Test
    void functionFromNow_startsAtTheEndOfEachShard() throws InterruptedException {
        Checkpoints checkpoints = checkpoints();
        checkpoints.claim(PART, retry());

        for (int vbucket : List.of(200, 255, 256, 383, 384, 400)) {
            assertThat(checkpoints.saved(vbucket))
                    .isPositive()
                    .isEqualTo(memory.highSeqno(Fixture.BUCKET, vbucket / 128).join());
        }
    }

    @Test
    void shardThatDoesNotAnswer_isAskedAgain() throws InterruptedException {
        failing = true;
        Checkpoints checkpoints = checkpoints();

        assertThat(checkpoints.claim(PART, retry())).isEqualTo(PART);
        assertThat(failing).isFalse();
        assertThat(checkpoints.saved(300))
                .isEqualTo(memory.highSeqno(Fixture.BUCKET, 2).join());
    }

    private Checkpoints checkpoints() {
        FunctionSpec spec = Fixture.with(Fixture.spec(), changes -> changes.boundary(FeedBoundary.FROM_NOW));
        BucketInfo source = memory.catalog().find(Fixture.BUCKET).join().orElseThrow();
        CheckpointStore store = CheckpointStore.inMemory(InstantSource.system());
        RuntimeEnvironment environment = new RuntimeEnvironment(
                "node-1",
                "redis://nowhere",
                watched(),
                store,
                (name, socket, placement) -> {
                    throw new IOException("There are no workers here");
                },
                (function, lines) -> {},
                InstantSource.system(),
                RuntimeSettings.DEFAULT,
                DeliverySettings.DEFAULT,
                HandlerSettings.Access.PUBLIC,
                new MemoryTimerStore(),
                new TimerWatch(new MemoryTimerStore(), InstantSource.system()),
                DeadLetterStore.inMemory(store),
                LastHandledStore.inMemory(store),
                Membership.alone("node-1"),
                TraceSampler.NEVER,
                SpanSink.NONE,
                TopicStore.onRedis(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))),
                new Channels(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))),
                RealWorkers.KAFKA);
        return new Checkpoints(spec, environment, source);
    }

    private static Retry retry() {
        return new Retry("f", new StopSignal(), RuntimeSettings.DEFAULT);
    }

    private DocumentStore watched() {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("branch") && arguments[0].equals(Fixture.BUCKET)) {
                        int shard = (Integer) arguments[1];
                        if (shard == 2 && failing) {
                            failing = false;
                            return CompletableFuture.failedFuture(new IllegalStateException("Redis is away"));
                        }
                        asked.add(shard);
                        together.countDown();
                        CountDownLatch others = together;
                        return memory.branch(Fixture.BUCKET, shard)
                                .thenApplyAsync(
                                        branch -> {
                                            awaitAll(others);
                                            return branch;
                                        },
                                        Thread::startVirtualThread);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void awaitAll(CountDownLatch others) {
        try {
            others.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
