package io.millrace.eventing.producer;

import static io.millrace.eventing.producer.EventSources.drained;
import static io.millrace.eventing.producer.EventSources.handled;
import static io.millrace.eventing.producer.EventSources.json;
import static io.millrace.eventing.producer.EventSources.letters;
import static io.millrace.eventing.producer.EventSources.withSource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Functions on Redis channels: real workers on a real Redis. */
@Timeout(300)
class ChannelMessagesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Keeps each number under a name of its own. */
    private static final String KEEP = "function OnMessage(message) { target[`n${message.n}`] = message; }";

    private final String topic = "c" + UUID.randomUUID();
    private String redisUrl = RedisFixture.url();

    @Test
    void handler_getsMessagesOfEveryKind() {
        try (RealWorkers workers = workers()) {
            run(workers, """
                    function OnMessage(message, meta) {
                      const binary = message instanceof ArrayBuffer;
                      const kind = binary ? 'bytes' : typeof message;
                      target[kind] = {
                        message: binary ? new Uint8Array(message).length : message, meta, year: meta.time.getUTCFullYear()
                      };
                    }
                    """);

            publish(bytes("{\"n\":1.5}"), bytes("hello"), new byte[] {(byte) 0xff, 0, 1});

            await().atMost(PATIENCE).until(() -> handled(workers) == 3);
            JsonNode object = json(workers, "object");
            assertThat(object.path("message").toString()).isEqualTo("{\"n\":1.5}");
            assertThat(object.path("year").asInt()).isGreaterThan(2020);
            assertThat(object.path("meta").path("topic").asString()).isEqualTo(topic);
            assertThat(object.path("meta").path("id").asString()).isNotEmpty();
            assertThat(object.path("meta").propertyNames()).doesNotContain("key", "entry");
            assertThat(json(workers, "string").path("message").asString()).isEqualTo("hello");
            assertThat(json(workers, "bytes").path("message").asInt()).isEqualTo(3);
            assertThat(json(workers, "bytes").path("meta").path("id"))
                    .isNotEqualTo(object.path("meta").path("id"));
        }
    }

    @Test
    void oneNodeListens_andTheOtherWhenItLeaves() {
        String name = "channels-" + UUID.randomUUID();
        List<Layout> layout = new CopyOnWriteArrayList<>(List.of(Layout.contiguous("1", List.of("a", "b"))));
        Membership shared = layout::getLast;
        try (RealWorkers a = new RealWorkers(redisUrl, name, "a", shared);
                RealWorkers b = new RealWorkers(redisUrl, name, "b", shared)) {
            a.supervisor().start(spec(a, KEEP)).join();
            b.supervisor().start(spec(b, KEEP)).join();
            await().atMost(PATIENCE).until(() -> listeners() == 1);

            publish(numbers(0, 100));

            await().atMost(PATIENCE).until(() -> handled(a) + handled(b) == 100);
            assertThat(handled(a)).as("one of both has all of them").isIn(0L, 100L);
            RealWorkers listening = handled(a) > 0 ? a : b;
            RealWorkers other = handled(a) > 0 ? b : a;
            layout.add(Layout.contiguous("2", List.of(other == a ? "a" : "b")));

            await().atMost(PATIENCE).until(() -> {
                publish(numbers(100, 1)); // what comes while no node listens is lost
                return handled(other) > 0;
            });
            assertThat(listeners()).isEqualTo(1);
        }
    }

    @Test
    void workerKilledInTheMiddle_handlesAllThatTheNodeHas() {
        try (RealWorkers workers = workers()) {
            run(workers, KEEP);
            publish(numbers(0, 2000));
            long pid = workers.pid();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);

            await().atMost(PATIENCE).until(() -> workers.pid() != pid && workers.pid() != 0);
            drained(workers);
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(IntStream.range(0, 2000)
                                    .filter(n ->
                                            json(workers, "n" + n).path("n").asInt(-1) != n))
                            .isEmpty());
            assertThat(lost(workers)).isZero();
        }
    }

    @Test
    void letterOfAMessage_isKeptByItsReplay() {
        try (RealWorkers workers = workers()) {
            FunctionSpec spec = spec(workers, "function OnMessage(message) { throw new Error('no'); }")
                    .withHandling(new Handling(0, Duration.ofMillis(1), Duration.ofMillis(1), 10, false, false));
            workers.supervisor().start(spec).join();
            await().atMost(PATIENCE).until(() -> listeners() == 1);
            publish(numbers(0, 1));
            await().atMost(PATIENCE)
                    .until(() -> letters(workers, spec.checkpoints()).size() == 1);
            String letter = letters(workers, spec.checkpoints()).getFirst().name();

            workers.deadLetters()
                    .askForReplay(spec.checkpoints(), List.of(letter))
                    .join();

            await().atMost(PATIENCE).until(() -> said(workers, "cannot be replayed and are kept"));
            assertThat(letters(workers, spec.checkpoints())).hasSize(1);
        }
    }

    @Test
    void moreMessagesThanTheFunctionHandles_areDroppedAndCounted() {
        try (RealWorkers workers = workers()) {
            run(workers, """
                    function OnMessage(message) {
                      if (!target.fast) { const end = Date.now() + 20; while (Date.now() < end) {} }
                    }
                    """);
            int published = 15_000;

            publish(numbers(0, published));

            await().atMost(PATIENCE).until(() -> lost(workers) > 0);
            workers.putTarget("fast", "true");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(handled(workers) + lost(workers)).isEqualTo(published));
            assertThat(lost(workers)).isLessThan(published - 10_000);
            await().atMost(PATIENCE).until(() -> said(workers, "were dropped: more came than the function handles"));
        }
    }

    @Test
    void connectionThatIsInterrupted_isCountedAsAGap_andListensAgain() {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            redisUrl = redis.url();
            try (RealWorkers workers = workers()) {
                run(workers, KEEP);
                publish(numbers(0, 1));
                await().atMost(PATIENCE).until(() -> handled(workers) == 1);
                assertThat(gaps(workers)).isZero();

                cutSubscribers();

                await().atMost(PATIENCE).until(() -> gaps(workers) == 1 && listeners() == 1);
                publish(numbers(1, 1));
                await().atMost(PATIENCE).until(() -> handled(workers) == 2);
                await().atMost(PATIENCE).until(() -> said(workers, "connection to Redis was interrupted"));
            }
        }
    }

    @Test
    void channelThatRedisRefuses_isSaid_andListenedToOnceItIsAllowed() throws Exception {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            redisUrl = redis.url();
            redis.console().call("ACL", "SETUSER", "default", "resetchannels", "&mr:bell");
            try (RealWorkers workers = workers()) {
                workers.supervisor().start(spec(workers, KEEP)).join();
                await().atMost(PATIENCE)
                        .until(() -> said(workers, "does not let the node listen to the channel " + topic));

                redis.console().call("ACL", "SETUSER", "default", "allchannels");

                await().atMost(PATIENCE).until(() -> listeners() == 1);
                publish(numbers(0, 1));
                await().atMost(PATIENCE).until(() -> handled(workers) == 1);
            }
        }
    }

    private static long lost(RealWorkers workers) {
        return workers.stats().processing().getOrDefault("message_dropped_counter", -1L);
    }

    private static long gaps(RealWorkers workers) {
        return workers.stats().processing().getOrDefault("message_gap_counter", -1L);
    }

    private static boolean said(RealWorkers workers, String text) {
        return workers.log.stream().anyMatch(line -> line.contains(text));
    }

    private RealWorkers workers() {
        return new RealWorkers(redisUrl, "channels-" + UUID.randomUUID());
    }

    private FunctionSpec spec(RealWorkers workers, String code) {
        return withSource(
                workers.spec(code),
                new FunctionSpec.Source(Keyspace.of("_topics"), FeedBoundary.EVERYTHING, "", "", 0, topic, "", true));
    }

    /** Starts a function and waits until it listens. */
    private void run(RealWorkers workers, String code) {
        workers.supervisor().start(spec(workers, code)).join();
        await().atMost(PATIENCE).until(() -> listeners() == 1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[][] numbers(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(n -> bytes("{\"n\":%d}".formatted(n)))
                .toArray(byte[][]::new);
    }

    private void publish(byte[]... messages) {
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            for (byte[] message : messages) {
                connection.async().publish(bytes("mr:topic:" + topic), message);
            }
            connection.sync().ping(); // behind all of them
        }
    }

    private long listeners() {
        String channel = "mr:topic:" + topic;
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().pubsubNumsub(channel).getOrDefault(channel, 0L);
        }
    }

    private void cutSubscribers() {
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().clientKill(KillArgs.Builder.typePubsub());
        }
    }
}
