package io.millrace.eventing.producer;

import static io.millrace.eventing.producer.EventSources.assertInOrder;
import static io.millrace.eventing.producer.EventSources.drained;
import static io.millrace.eventing.producer.EventSources.handled;
import static io.millrace.eventing.producer.EventSources.json;
import static io.millrace.eventing.producer.EventSources.letters;
import static io.millrace.eventing.producer.EventSources.replay;
import static io.millrace.eventing.producer.EventSources.withSource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Functions on topics: real workers on a real Redis. */
@Timeout(300)
class TopicMessagesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int KEYS = 20;
    private static final int EACH = 100;
    private static final int ROUNDS_AT_ONCE = 10;

    /** Keeps the numbers of each key in the order in which they were handled. */
    private static final String LIST = """
            function OnMessage(message, meta) {
              const before = target[meta.key];
              const seen = before ? before.seen : [];
              seen.push(message.n);
              target[meta.key] = {seen};
            }
            """;

    private final String topic = "t" + UUID.randomUUID();
    private String redisUrl = RedisFixture.url();

    @Test
    void handler_getsMessagesOfEveryKind() {
        try (RealWorkers workers = workers()) {
            add(Map.of(
                    "id", "m1", "key", "k", "content_type", "application/json", "header.a", "b", "data", "{\"n\":1}"));
            add(Map.of("id", "m2", "content_type", "text/plain", "data", "{\"n\":1}"));
            add(Map.of("id", "m3", "content_type", "application/octet-stream", "data", "abc"));
            add(Map.of("id", "m4", "data", "[2]"));
            add(Map.of("sensor", "7", "temperature", "19.5"));

            run(workers, """
                    function OnMessage(message, meta) {
                      const binary = message instanceof ArrayBuffer;
                      target[message.sensor || meta.id] = {
                        message: binary ? new Uint8Array(message).length : message, binary, meta, year: meta.time.getUTCFullYear()
                      };
                    }
                    """);

            drained(workers);
            JsonNode first = json(workers, "m1");
            assertThat(first.path("message").toString()).isEqualTo("{\"n\":1}");
            assertThat(first.path("year").asInt()).isGreaterThan(2020);
            assertThat(first.path("meta").toString())
                    .startsWith("{\"topic\":\"%s\",\"id\":\"m1\",\"key\":\"k\",\"headers\":{\"a\":\"b\"},\"entry\":\""
                            .formatted(topic));
            assertThat(json(workers, "m2").path("message").asString()).isEqualTo("{\"n\":1}");
            assertThat(json(workers, "m3").path("binary").asBoolean()).isTrue();
            assertThat(json(workers, "m3").path("message").asInt()).isEqualTo(3);
            assertThat(json(workers, "m4").path("message").toString()).isEqualTo("[2]");
            JsonNode foreign = json(workers, "7");
            assertThat(foreign.path("message").toString()).isEqualTo("{\"sensor\":\"7\",\"temperature\":\"19.5\"}");
            assertThat(foreign.path("meta").path("id"))
                    .isEqualTo(foreign.path("meta").path("entry"));
            assertThat(workers.stats().execution().get("on_event_success")).isEqualTo(5);
        }
    }

    @Test
    void workerKilledInTheMiddle_handlesEveryMessageInTheOrderOfItsKey() {
        try (RealWorkers workers = workers()) {
            run(workers, LIST);
            AtomicBoolean killed = new AtomicBoolean();
            CompletableFuture<Integer> writing =
                    CompletableFuture.supplyAsync(() -> writeUntil(killed, workers), Thread::startVirtualThread);

            await().atMost(PATIENCE).until(() -> handled(workers) > 200);
            long pid = workers.pid();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            await().atMost(PATIENCE).until(() -> workers.pid() != pid && workers.pid() != 0);
            killed.set(true);
            int each = writing.join();

            drained(workers);
            assertThat(letters(workers, spec(workers, LIST).checkpoints()))
                    .as("messages that were given up")
                    .isEmpty();
            assertAllInOrder(workers, each);
        }
    }

    @Test
    void nodeKilledInTheMiddle_handlesEveryMessageInTheOrderOfItsKey() throws Exception {
        String name = "topics-" + UUID.randomUUID();
        FunctionSpec.Source all = source(FeedBoundary.EVERYTHING);
        write(0, EACH);
        try (RealWorkers again = new RealWorkers(redisUrl, name);
                NodeProcess node = NodeProcess.start(redisUrl, name, "node", LIST, all)) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> seenOfAll(again) > 200);
            List<ProcessHandle> workers = node.workers();
            assertThat(workers).isNotEmpty();
            node.kill9();
            await().atMost(PATIENCE).until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(seenOfAll(again)).isLessThan(KEYS * EACH);
            run(again, LIST);

            await().atMost(PATIENCE).ignoreExceptions().until(() -> allSeen(again, EACH));
            assertAllInOrder(again, EACH);
        }
    }

    private static int seenOfAll(RealWorkers workers) {
        return IntStream.range(0, KEYS).map(key -> seen(workers, key).size()).sum();
    }

    @Test
    void redisKilledInTheMiddle_handlesEveryMessageInTheOrderOfItsKey() {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            redisUrl = redis.url();
            try (RealWorkers workers = workers()) {
                write(0, EACH);
                run(workers, LIST);
                await().atMost(PATIENCE).until(() -> handled(workers) > 200);

                redis.kill9();
                redis.restart();

                await().atMost(PATIENCE).ignoreExceptions().until(() -> allSeen(workers, EACH));
                assertAllInOrder(workers, EACH);
            }
        }
    }

    @Test
    void answersLost_handlesEveryMessageInTheOrderOfItsKey() {
        try (RealWorkers workers = workers()) {
            AtomicInteger reads = new AtomicInteger();
            workers.topicReads(read -> switch (reads.getAndIncrement()) {
                case 1, 3 ->
                    read.get().thenCompose(lost -> read.get()); // as the client repeats it after a reconnection
                case 5, 7 -> read.get().thenCompose(lost -> CompletableFuture.failedFuture(new RedisException("lost")));
                default -> read.get();
            });
            write(0, EACH);
            run(workers, LIST);

            await().atMost(PATIENCE).until(() -> reads.get() > 10);
            drained(workers);
            for (int key = 0; key < KEYS; key++) {
                assertThat(seen(workers, key))
                        .isEqualTo(IntStream.range(0, EACH).boxed().toList());
            }
        }
    }

    @Test
    void pausedAndResumed_continuesBehindWhatItHandled_andUndeployedLeavesTheTopic() {
        try (RealWorkers workers = workers()) {
            write(0, 5);
            run(workers, LIST);
            drained(workers);
            await().atMost(PATIENCE).until(() -> unacknowledged() == 0); // a crash would have no message handled again
            workers.supervisor().stop("f").join();
            write(5, 5);
            run(workers, LIST);

            drained(workers);
            await().atMost(PATIENCE).until(() -> handled(workers) == 5L * KEYS);
            for (int key = 0; key < KEYS; key++) {
                assertThat(seen(workers, key)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            }
            assertThat(groups()).isEqualTo(1);
            workers.supervisor().remove(spec(workers, LIST)).join();
            assertThat(groups()).isZero();
        }
    }

    @Test
    void fromNow_leavesOutWhatWasThere() {
        try (RealWorkers workers = workers()) {
            write(0, 1);
            workers.supervisor()
                    .start(withSource(workers.spec(LIST), source(FeedBoundary.FROM_NOW)))
                    .join();
            await().atMost(PATIENCE).until(() -> groups() == 1);
            write(1, 1);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(handled(workers)).isEqualTo(KEYS));
            assertThat(seen(workers, 0)).containsExactly(1);
        }
    }

    @Test
    void sourceWithATime_leavesOutWhatWasBefore() {
        try (RealWorkers workers = workers()) {
            for (int n = 0; n < 4; n++) {
                addAt(1000L + n, Map.of("key", "k", "data", "{\"n\":%d}".formatted(n)));
            }
            FunctionSpec.Source since = new FunctionSpec.Source(
                    Keyspace.of("_topics"), FeedBoundary.EVERYTHING, "", "", 1002, topic, "", false);
            workers.supervisor().start(withSource(workers.spec(LIST), since)).join();

            await().atMost(PATIENCE).until(() -> handled(workers) == 2);
            drained(workers);
            assertThat(EventSources.seen(workers, "k")).containsExactly(2, 3);
        }
    }

    private void addAt(long millis, Map<String, String> fields) {
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().xadd(key(), new XAddArgs().id(millis + "-0"), fields);
        }
    }

    @Test
    void messageThatFails_holdsUpItsKeyUntilItIsADeadLetter_whichCanBeReplayed() {
        try (RealWorkers workers = workers()) {
            write(0, 4);
            FunctionSpec spec = spec(workers, """
                    function OnMessage(message, meta) {
                      const attempts = target.attempts || {n: 0};
                      if (meta.key === '3' && message.n === 1 && !target.fixed) {
                        target.attempts = {n: attempts.n + 1};
                        throw new Error('not yet');
                      }
                      if (meta.key === '3' && message.n === 2) {
                        target.next = attempts;
                      }
                      const before = target[meta.key];
                      target[meta.key] = {seen: [...(before ? before.seen : []), message.n]};
                    }
                    """)
                    .withHandling(new Handling(2, Duration.ofMillis(300), Duration.ofSeconds(1), 10, false, false));
            workers.supervisor().start(spec).join();

            await().atMost(PATIENCE)
                    .until(() -> !letters(workers, spec.checkpoints()).isEmpty());
            drained(workers);
            assertThat(seen(workers, 3)).containsExactly(0, 2, 3);
            assertThat(seen(workers, 4)).containsExactly(0, 1, 2, 3);
            assertThat(json(workers, "next").path("n").asInt())
                    .as("attempts before the next one")
                    .isEqualTo(3);
            assertThat(workers.stats().processing().get("retry_counter")).isEqualTo(2);
            DeadLetter letter = letters(workers, spec.checkpoints()).getFirst();
            assertThat(letter.entryPoint()).isEqualTo("OnMessage");
            assertThat(letter.change().collection()).isEqualTo(topic);
            assertThat(letter.content().document()).isEqualTo("{\"n\":1}");

            workers.putTarget("fixed", "true");
            replay(workers, spec.checkpoints(), letter);

            assertThat(seen(workers, 3)).containsExactly(0, 2, 3, 1);
        }
    }

    @Test
    void messageThatIsTriedAgain_isHandledBeforeTheNextOneOfItsKey() {
        try (RealWorkers workers = workers()) {
            write(0, 4);
            FunctionSpec spec = spec(workers, """
                    function OnMessage(message, meta) {
                      const id = 'tried-' + meta.key + '-' + message.n;
                      if (message.n % 2 === 1 && !target[id]) {
                        target[id] = {};
                        throw new Error('not yet');
                      }
                      const before = target[meta.key];
                      target[meta.key] = {seen: [...(before ? before.seen : []), message.n]};
                    }
                    """)
                    .withHandling(new Handling(3, Duration.ofMillis(50), Duration.ofSeconds(1), 10, false, false));
            workers.supervisor().start(spec).join();

            drained(workers);
            for (int key = 0; key < KEYS; key++) {
                assertThat(seen(workers, key)).containsExactly(0, 1, 2, 3);
            }
            assertThat(workers.stats().processing().get("retry_counter")).isEqualTo(2L * KEYS);
        }
    }

    @Test
    void secondNode_takesOverWithoutLosingMessages() {
        String name = "topics-" + UUID.randomUUID();
        AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("a")));
        Membership shared = () -> Objects.requireNonNull(layout.get());
        try (RealWorkers a = new RealWorkers(RedisFixture.url(), name, "a", shared);
                RealWorkers b = new RealWorkers(RedisFixture.url(), name, "b", shared)) {
            run(a, LIST);
            run(b, LIST);
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> write(0, EACH), Thread::startVirtualThread);
            await().atMost(PATIENCE).until(() -> handled(a) > 100);
            layout.set(Layout.contiguous("2", List.of("b")));
            writing.join();

            await().atMost(PATIENCE).until(() -> a.owners().equals(Set.of("b")));
            await().atMost(PATIENCE).until(() -> allSeen(b, EACH));
            assertAllInOrder(b, EACH);
        }
    }

    private static boolean allSeen(RealWorkers workers, int each) {
        return IntStream.range(0, KEYS)
                .allMatch(key ->
                        !seen(workers, key).isEmpty() && seen(workers, key).getLast() == each - 1);
    }

    private static void assertAllInOrder(RealWorkers workers, int each) {
        for (int key = 0; key < KEYS; key++) {
            assertInOrder(seen(workers, key), each);
        }
    }

    private RealWorkers workers() {
        return new RealWorkers(redisUrl, "topics-" + UUID.randomUUID());
    }

    private FunctionSpec spec(RealWorkers workers, String code) {
        return withSource(workers.spec(code), source(FeedBoundary.EVERYTHING));
    }

    private FunctionSpec.Source source(FeedBoundary boundary) {
        return new FunctionSpec.Source(Keyspace.of("_topics"), boundary, topic, "");
    }

    /** Has failures retried: a handler that runs out of time on a busy machine would leave its message out otherwise. */
    private void run(RealWorkers workers, String code) {
        Handling retried = new Handling(5, Duration.ofMillis(100), Duration.ofSeconds(1), 10, false, false);
        workers.supervisor().start(spec(workers, code).withHandling(retried)).join();
    }

    private String key() {
        return "mr:topic:" + topic;
    }

    private void add(Map<String, String> fields) {
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().xadd(key(), new XAddArgs(), fields);
        }
    }

    private int groups() {
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().exists(key()) == 0
                    ? 0
                    : connection.sync().xinfoGroups(key()).size();
        }
    }

    private long unacknowledged() {
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            List<?> group = (List<?>) connection.sync().xinfoGroups(key()).getFirst();
            return (Long) group.get(group.indexOf("pending") + 1);
        }
    }

    /** Publishes messages of all keys in turns. */
    private void write(int from, int count) {
        try (RedisClient client = RedisClient.create(redisUrl);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            for (int n = from; n < from + count; n++) {
                for (int k = 0; k < KEYS; k++) {
                    Map<String, String> fields = new HashMap<>();
                    fields.put("key", Integer.toString(k));
                    fields.put("data", "{\"n\":%d}".formatted(n));
                    connection.sync().xadd(key(), new XAddArgs(), fields);
                }
            }
        }
    }

    /** Publishes messages, never many more than are handled, and returns how many of each key. */
    private int writeUntil(AtomicBoolean end, RealWorkers workers) {
        int each = 0;
        while (!end.get()) {
            write(each, ROUNDS_AT_ONCE);
            each += ROUNDS_AT_ONCE;
            await().atMost(PATIENCE).until(() -> end.get() || workers.stats().backlog() < ROUNDS_AT_ONCE * KEYS);
        }
        return each;
    }

    private static List<Integer> seen(RealWorkers workers, int key) {
        return EventSources.seen(workers, Integer.toString(key));
    }
}
