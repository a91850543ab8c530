package io.millrace.eventing.producer;

import static io.millrace.eventing.producer.EventSources.assertInOrder;
import static io.millrace.eventing.producer.EventSources.drained;
import static io.millrace.eventing.producer.EventSources.handled;
import static io.millrace.eventing.producer.EventSources.json;
import static io.millrace.eventing.producer.EventSources.letters;
import static io.millrace.eventing.producer.EventSources.replay;
import static io.millrace.eventing.producer.EventSources.seen;
import static io.millrace.eventing.producer.EventSources.withSource;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.testkit.KafkaBroker;
import io.millrace.testkit.RedisFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Functions on topics of Kafka: real workers, a real Redis and a real broker. */
@Timeout(600)
class KafkaMessagesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int PARTITIONS = 4;
    private static final int ROUNDS_AT_ONCE = 25;

    /** How many messages of each partition wait for a node, so that many are on their way when it is killed. */
    private static final int BACKLOG = 300;

    /** Keeps the numbers of each partition in the order in which they were handled. */
    private static final String LIST = """
            function OnMessage(message, meta) {
              const id = 'p' + meta.partition;
              const before = target[id];
              target[id] = {seen: [...(before ? before.seen : []), message.n]};
            }
            """;

    @TempDir
    private static Path directory;

    private static KafkaBroker broker;
    private static KafkaProducer<byte[], byte[]> producer;

    private final String topic = "t" + UUID.randomUUID();
    private final String cluster = "c" + UUID.randomUUID();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(directory);
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "delivery.timeout.ms",
                        300_000,
                        "metadata.max.age.ms",
                        1_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void endBroker() throws InterruptedException {
        producer.close(Duration.ZERO);
        broker.close();
    }

    @BeforeEach
    void createTopic() throws Exception {
        broker.create(topic, PARTITIONS, Map.of());
        name();
    }

    private void name() throws IOException {
        Path file = RealWorkers.CLUSTERS.file(cluster);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "bootstrap.servers=" + broker.address() + "\n");
        file.toFile().deleteOnExit();
    }

    @Test
    void workerBrokerAndNodeLostInTheMiddle_handlesEveryMessageInTheOrderOfItsPartition() throws Exception {
        String name = "kafka-" + UUID.randomUUID();
        AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("a")));
        Membership shared = () -> Objects.requireNonNull(layout.get());
        try (RealWorkers a = new RealWorkers(RedisFixture.url(), name, "a", shared);
                RealWorkers b = new RealWorkers(RedisFixture.url(), name, "b", shared)) {
            run(a, LIST);
            run(b, LIST);
            AtomicBoolean end = new AtomicBoolean();
            CompletableFuture<Integer> writing =
                    CompletableFuture.supplyAsync(() -> writeUntil(end, a, b), Thread::startVirtualThread);

            more(a, 100);
            long pid = a.pid();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            await().atMost(PATIENCE).until(() -> a.pid() != pid && a.pid() != 0);
            more(a, 100);
            broker.kill();
            broker.restart();
            more(a, 100);
            layout.set(Layout.contiguous("2", List.of("b")));
            await().atMost(PATIENCE).until(() -> a.owners().equals(Set.of("b")));
            more(b, 100);
            end.set(true);
            int each = writing.join();

            await().atMost(PATIENCE).until(() -> allSeen(b, each));
            drained(b);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertInOrder(seen(b, "p" + partition), each);
            }
        }
    }

    @Test
    void nodeKilledInTheMiddle_handlesEveryMessageInTheOrderOfItsPartition() throws Exception {
        String name = "kafka-" + UUID.randomUUID();
        write(0, BACKLOG);
        try (RealWorkers again = new RealWorkers(RedisFixture.url(), name);
                NodeProcess node =
                        NodeProcess.start(RedisFixture.url(), name, "node", LIST, source(FeedBoundary.EVERYTHING))) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> seenOfAll(again) > BACKLOG / 2);
            List<ProcessHandle> workers = node.workers();
            assertThat(workers).isNotEmpty();
            node.kill9();
            await().atMost(PATIENCE).until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(seenOfAll(again)).isLessThan(PARTITIONS * BACKLOG);
            run(again, LIST);

            await().atMost(PATIENCE).ignoreExceptions().until(() -> allSeen(again, BACKLOG));
            drained(again);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertInOrder(seen(again, "p" + partition), BACKLOG);
            }
        }
    }

    @Test
    void handler_getsMessagesOfEveryKind() {
        try (RealWorkers workers = workers()) {
            send(message(0, "k", "{\"n\":1}")
                    .headers("millrace-id", "m1", "content-type", "application/json", "a", "b"));
            send(message(0, null, "plain"));
            send(message(0, null, "{\"n\":1}").headers("content-type", "text/plain"));
            send(message(0, null, "abc").headers("content-type", "application/octet-stream"));
            send(message(0, "gone", null));

            run(workers, """
                    function OnMessage(message, meta) {
                      const binary = message instanceof ArrayBuffer;
                      target['m' + meta.offset] = {
                        message: binary ? new Uint8Array(message).length : message, binary, meta, year: meta.time.getUTCFullYear()
                      };
                    }
                    """);

            drained(workers);
            assertThat(json(workers, "m0").path("message").toString()).isEqualTo("{\"n\":1}");
            assertThat(json(workers, "m0").path("year").asInt()).isGreaterThan(2020);
            assertThat(json(workers, "m0").path("meta").toString())
                    .startsWith(
                            "{\"topic\":\"%s\",\"id\":\"m1\",\"key\":\"k\",\"headers\":{\"a\":\"b\"},\"entry\":\"0-0\",\"partition\":0,\"offset\":0"
                                    .formatted(topic));
            assertThat(json(workers, "m1").path("message").asString()).isEqualTo("plain");
            assertThat(json(workers, "m1").path("meta").path("id").asString()).isEqualTo("0-1");
            assertThat(json(workers, "m1").path("meta").has("key")).isFalse();
            assertThat(json(workers, "m2").path("message").asString()).isEqualTo("{\"n\":1}");
            assertThat(json(workers, "m3").path("message").asInt()).isEqualTo(3);
            assertThat(json(workers, "m4").path("message").isNull()).isTrue();
            assertThat(json(workers, "m4").path("meta").path("key").asString()).isEqualTo("gone");
        }
    }

    @Test
    void pausedAndResumed_continuesBehindWhatItHandled_andDeployedAgainBeginsAtTheStart() {
        try (RealWorkers workers = workers()) {
            write(0, 5);
            run(workers, LIST);
            drained(workers);
            await().atMost(PATIENCE).until(() -> saved(workers, 0).equals("5")); // so that a crash would repeat nothing
            workers.supervisor().stop("f").join();
            write(5, 5);
            run(workers, LIST);

            await().atMost(PATIENCE).until(() -> handled(workers) == 5L * PARTITIONS);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(seen(workers, "p" + partition)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            }
            workers.supervisor().remove(spec(workers, LIST)).join();
            run(workers, LIST);
            await().atMost(PATIENCE).until(() -> handled(workers) == 10L * PARTITIONS);
        }
    }

    @Test
    void fromNow_leavesOutWhatWasThere_butNothingOfPartitionsThatAreAdded() throws Exception {
        try (RealWorkers workers = workers();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            write(0, 1);
            FunctionSpec spec = withSource(workers.spec(LIST), source(FeedBoundary.FROM_NOW));
            workers.supervisor().start(spec).join();
            drained(workers);
            workers.supervisor().stop("f").join();
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(PARTITIONS + 1)))
                    .all()
                    .get();
            await().atMost(PATIENCE).until(() -> producer.partitionsFor(topic).size() == PARTITIONS + 1);
            write(1, 1);
            send(message(PARTITIONS, null, "{\"n\":0}"));
            workers.supervisor().start(spec).join();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(handled(workers)).isEqualTo(PARTITIONS + 1));
            assertThat(seen(workers, "p0")).containsExactly(1);
            assertThat(seen(workers, "p" + PARTITIONS)).containsExactly(0);
        }
    }

    @Test
    void sourceWithATime_leavesOutWhatWasBefore_andPartitionsWithoutMessagesSinceThenWait() {
        try (RealWorkers workers = workers()) {
            long now = System.currentTimeMillis();
            for (int n = 0; n < 4; n++) {
                byte[] value = "{\"n\":%d}".formatted(n).getBytes(UTF_8);
                send(new Message(new ProducerRecord<>(topic, 0, now - 4000 + n * 1000, null, value)));
            }
            send(new Message(new ProducerRecord<>(topic, 1, now - 4000, null, "{\"n\":0}".getBytes(UTF_8))));
            FunctionSpec.Source since = new FunctionSpec.Source(
                    Keyspace.of("_topics"), FeedBoundary.EVERYTHING, "", "", now - 2000, topic, cluster, false);
            workers.supervisor().start(withSource(workers.spec(LIST), since)).join();

            await().atMost(PATIENCE).until(() -> handled(workers) == 2);
            send(message(1, null, "{\"n\":1}"));
            await().atMost(PATIENCE).until(() -> handled(workers) == 3);
            assertThat(seen(workers, "p0")).containsExactly(2, 3);
            assertThat(seen(workers, "p1")).containsExactly(1);
        }
    }

    @Test
    void messageThatFails_holdsUpItsPartitionUntilItIsADeadLetter_whichCanBeReplayed() {
        try (RealWorkers workers = workers()) {
            write(0, 4);
            FunctionSpec spec = spec(workers, """
                    function OnMessage(message, meta) {
                      const attempts = target.attempts || {n: 0};
                      if (meta.partition === 3 && message.n === 1 && !target.fixed) {
                        target.attempts = {n: attempts.n + 1};
                        throw new Error('not yet');
                      }
                      if (meta.partition === 3 && message.n === 2) {
                        target.next = attempts;
                      }
                      const id = 'p' + meta.partition;
                      const before = target[id];
                      target[id] = {seen: [...(before ? before.seen : []), message.n]};
                    }
                    """)
                    .withHandling(new Handling(2, Duration.ofMillis(300), Duration.ofSeconds(1), 10, false, false));
            workers.supervisor().start(spec).join();

            await().atMost(PATIENCE)
                    .until(() -> !letters(workers, spec.checkpoints()).isEmpty());
            drained(workers);
            assertThat(seen(workers, "p3")).containsExactly(0, 2, 3);
            assertThat(seen(workers, "p2")).containsExactly(0, 1, 2, 3);
            assertThat(json(workers, "next").path("n").asInt())
                    .as("attempts before the next one")
                    .isEqualTo(3);
            assertThat(workers.stats().processing().get("retry_counter")).isEqualTo(2);
            DeadLetter letter = letters(workers, spec.checkpoints()).getFirst();
            assertThat(letter.entryPoint()).isEqualTo("OnMessage");
            assertThat(letter.change().id()).isEqualTo("3-1");
            assertThat(letter.content().document()).isEqualTo("{\"n\":1}");

            workers.putTarget("fixed", "true");
            replay(workers, spec.checkpoints(), letter);

            assertThat(seen(workers, "p3")).containsExactly(0, 2, 3, 1);
        }
    }

    @Test
    void messageThatIsTriedAgain_isHandledBeforeTheNextOneOfItsPartition() {
        try (RealWorkers workers = workers()) {
            write(0, 4);
            FunctionSpec spec = spec(workers, """
                    function OnMessage(message, meta) {
                      const id = 'p' + meta.partition;
                      const tried = 'tried-' + id + '-' + message.n;
                      if (message.n % 2 === 1 && !target[tried]) {
                        target[tried] = {};
                        throw new Error('not yet');
                      }
                      const before = target[id];
                      target[id] = {seen: [...(before ? before.seen : []), message.n]};
                    }
                    """)
                    .withHandling(new Handling(3, Duration.ofMillis(50), Duration.ofSeconds(1), 10, false, false));
            workers.supervisor().start(spec).join();

            drained(workers);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(seen(workers, "p" + partition)).containsExactly(0, 1, 2, 3);
            }
            assertThat(workers.stats().processing().get("retry_counter")).isEqualTo(2L * PARTITIONS);
        }
    }

    @Test
    void messagesRemovedMeanwhile_areLeftOut() throws Exception {
        try (RealWorkers workers = workers();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            write(0, 2);
            run(workers, LIST);
            drained(workers);
            workers.supervisor().stop("f").join();
            write(2, 4);
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(5)))
                    .all()
                    .get();
            run(workers, LIST);

            await().atMost(PATIENCE).until(() -> handled(workers) == 4L * PARTITIONS - 3);
            assertThat(seen(workers, "p0")).containsExactly(0, 1, 5);
            assertThat(seen(workers, "p1")).containsExactly(0, 1, 2, 3, 4, 5);
        }
    }

    @Test
    void clusterWithoutSettings_isSaidInTheLog_andReadWhenItHasThem() throws IOException {
        Files.delete(RealWorkers.CLUSTERS.file(cluster));
        try (RealWorkers workers = workers()) {
            write(0, 1);
            run(workers, LIST);
            await().atMost(PATIENCE).until(() -> !workers.log.isEmpty());
            assertThat(workers.log)
                    .singleElement()
                    .asString()
                    .startsWith("The settings of the Kafka cluster '%s' cannot be read from".formatted(cluster));
            assertThat(workers.stats().backlog()).isPositive();

            name();

            drained(workers);
            assertThat(handled(workers)).isEqualTo(PARTITIONS);
        }
    }

    private static void more(RealWorkers workers, int count) {
        long before = handled(workers);
        await().atMost(PATIENCE).until(() -> handled(workers) > before + count);
    }

    private String saved(RealWorkers workers, int partition) {
        byte[] offset = workers.lastHandled()
                .recall(spec(workers, LIST).checkpoints(), List.of("partition " + partition))
                .join()
                .getFirst();
        return offset == null ? "" : new String(offset, UTF_8);
    }

    private static int seenOfAll(RealWorkers workers) {
        return IntStream.range(0, PARTITIONS)
                .map(partition -> seen(workers, "p" + partition).size())
                .sum();
    }

    private static boolean allSeen(RealWorkers workers, int each) {
        return IntStream.range(0, PARTITIONS)
                .allMatch(partition -> seen(workers, "p" + partition).getLast() == each - 1);
    }

    private static RealWorkers workers() {
        return new RealWorkers(RedisFixture.url(), "kafka-" + UUID.randomUUID());
    }

    private FunctionSpec spec(RealWorkers workers, String code) {
        return withSource(workers.spec(code), source(FeedBoundary.EVERYTHING));
    }

    private FunctionSpec.Source source(FeedBoundary boundary) {
        return new FunctionSpec.Source(Keyspace.of("_topics"), boundary, topic, cluster);
    }

    private void run(RealWorkers workers, String code) {
        workers.supervisor().start(spec(workers, code)).join();
    }

    private Message message(int partition, @Nullable String key, @Nullable String value) {
        return new Message(new ProducerRecord<>(
                topic,
                partition,
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8)));
    }

    private record Message(ProducerRecord<byte[], byte[]> sent) {

        private Message headers(String... namesAndValues) {
            for (int i = 0; i < namesAndValues.length; i += 2) {
                sent.headers().add(new RecordHeader(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8)));
            }
            return this;
        }
    }

    private static Future<RecordMetadata> send(Message message) {
        return producer.send(message.sent());
    }

    /** Publishes numbers to all partitions in turns, and fails if the broker has not taken one of them. */
    private void write(int from, int count) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int n = from; n < from + count; n++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                sent.add(send(message(partition, null, "{\"n\":%d}".formatted(n))));
            }
        }
        producer.flush();
        assertThat(sent).allSatisfy(each -> assertThat(each.state()).isEqualTo(Future.State.SUCCESS));
    }

    /** Publishes messages, never many more than are handled, and returns how many to each partition. */
    private int writeUntil(AtomicBoolean end, RealWorkers... workers) {
        int each = 0;
        while (!end.get()) {
            write(each, ROUNDS_AT_ONCE);
            each += ROUNDS_AT_ONCE;
            long enough = (each - 2L * ROUNDS_AT_ONCE) * PARTITIONS;
            await().atMost(PATIENCE)
                    .until(() -> end.get()
                            || List.of(workers).stream()
                                            .mapToLong(EventSources::handled)
                                            .sum()
                                    >= enough);
        }
        return each;
    }
}
