package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.FakeWorkers;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Membership;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.topics.Channels;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.testkit.CommandMonitor;
import io.millrace.testkit.OwnRedis;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Functions of a node whose source is the same bucket. */
class OneSourceIT {

    private static final int WRITES = 500;
    private static final int FUNCTIONS = 100;

    /** As {@code MONITOR} shows them; what a function of Redis calls comes from "lua" instead of an address. */
    private static final Pattern DOCUMENT = Pattern.compile("(?i)\\[0 127[^]]*] \"HMGET\" \"mr:[^\"]*:d:");

    private static final Pattern ROWS = Pattern.compile("(?i)] \"ZRANGEBYSCORE\" \"mr:[^\"]*:q\"");

    private final OwnRedis redis = OwnRedis.startVolatile();
    private final RedisClient client = RedisClient.create(redis.url());
    private final StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    private final RedisChangeNotifier notifier = new RedisChangeNotifier(
            () -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, RedisURI.create(redis.url())));

    /** The writer has a store of its own, as another process has. */
    private final RedisDocumentStore writer = store();

    private final RedisDocumentStore documents = store();
    private final CheckpointStore checkpoints = CheckpointStore.inMemory(InstantSource.system());
    private final MemoryTimerStore timers = new MemoryTimerStore();
    private final FakeWorkers workers = new FakeWorkers();
    private final SuperSupervisor supervisor = new SuperSupervisor(
            new RuntimeEnvironment(
                    "node",
                    redis.url(),
                    documents,
                    checkpoints,
                    workers,
                    (function, lines) -> {},
                    InstantSource.system(),
                    RuntimeSettings.DEFAULT,
                    DeliverySettings.DEFAULT,
                    HandlerSettings.Access.PUBLIC,
                    timers,
                    new TimerWatch(timers, InstantSource.system()),
                    DeadLetterStore.inMemory(checkpoints),
                    LastHandledStore.inMemory(checkpoints),
                    Membership.alone("node"),
                    TraceSampler.NEVER,
                    recorded -> {},
                    TopicStore.onRedis(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))),
                    new Channels(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))),
                    RealWorkers.KAFKA),
            new NodeLeases("node", checkpoints, NodeLeases.LEASE));

    private RedisDocumentStore store() {
        return new RedisDocumentStore(
                () -> CompletableFuture.completedFuture(connection.async()), notifier, InstantSource.system());
    }

    @BeforeEach
    void createBucket() {
        writer.catalog().createBucket(Fixture.BUCKET, 1).join();
        writer.catalog().createBucket("meta", 1).join();
    }

    @AfterEach
    void close() {
        supervisor.close();
        documents.close();
        writer.close();
        notifier.close();
        client.close();
        redis.close();
    }

    @Test
    void hundredFunctions_readEachDocumentOnce_andLittleMoreThanOneFunctionInAll() {
        Reads writes = readsOf("w", 0);
        start(0);
        readsOf("warm", 1);
        Reads one = readsOf("x", 1).minus(writes);
        for (int i = 1; i < FUNCTIONS; i++) {
            start(i);
        }
        readsOf("warm-too", FUNCTIONS);

        Reads hundred = readsOf("y", FUNCTIONS).minus(writes);

        assertThat(one.documents).isGreaterThanOrEqualTo(WRITES);
        assertThat(hundred.documents).isLessThan(one.documents * 3 / 2);
        assertThat(hundred.rows)
                .as(
                        "one for each write when the feed is as quick as the writer, fewer when it is slower; 100 if each had its own")
                .isLessThan(WRITES * 2L);
    }

    /**
     * What clients have read in Redis.
     *
     * @param rows how often rows of the feed
     */
    private record Reads(long documents, long rows) {

        static Reads of(List<String> commands) {
            return new Reads(
                    commands.stream().filter(DOCUMENT.asPredicate()).count(),
                    commands.stream().filter(ROWS.asPredicate()).count());
        }

        Reads minus(Reads other) {
            return new Reads(documents - other.documents, rows - other.rows);
        }
    }

    @Test
    void functionThatIsSlow_holdsBackNoneOfTheOthers_andHandlesEverything() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        for (int i = 0; i < 3; i++) {
            start(i);
        }
        workers.handling((event, life) -> {
            if (life.name().startsWith("f0")) {
                released.join();
            }
            return Outcome.success(10);
        });

        write("z", WRITES * 3);
        awaitHandled("z", WRITES * 3 * 2);
        released.complete(null);
        awaitHandled("z", WRITES * 3 * 3);
    }

    private void start(int number) {
        FunctionSpec usual = Fixture.spec();
        String name = "f" + number;
        supervisor
                .start(new FunctionSpec(
                        new FunctionSpec.Identity(name, name, name, 1),
                        usual.code(),
                        usual.language(),
                        usual.source(),
                        usual.metadata(),
                        usual.workers(),
                        usual.limits(),
                        Duration.ofMinutes(1),
                        usual.logLevel(),
                        usual.aliases(),
                        usual.handler(),
                        usual.handling()))
                .join();
    }

    /** Writes new documents, waits until the functions have handled them, and returns how much Redis has read. */
    private Reads readsOf(String prefix, int functions) {
        return Reads.of(CommandMonitor.during(redis, () -> {
            write(prefix, WRITES);
            awaitHandled(prefix, WRITES * functions);
        }));
    }

    /** One after the other, so that each is a call of its own. */
    private void write(String prefix, int count) {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < count; i++) {
            writer.write(Write.upsert(new DocumentKey(Keyspace.of(Fixture.BUCKET), prefix + "-" + i), body))
                    .join();
        }
    }

    private void awaitHandled(String prefix, int count) {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> workers.handled().stream()
                                .map(Event::id)
                                .filter(id -> id.startsWith(prefix + "-"))
                                .count()
                        >= count);
    }
}
