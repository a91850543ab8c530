package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.KafkaBroker;
import io.millrace.testkit.OwnRedis;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HandlerSettings.Topic;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages of a real worker in a real Kafka. */
@Timeout(480)
class KafkaPublishIT {

    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final int KEYS = 20;
    private static final int ROUNDS = 200;
    private static final int THREADS = 2;
    private static final int PARTITIONS = 4;
    private static final String PUBLISH =
            "function OnUpdate(doc, meta) { publish(orders, {n: doc.n}, {key: doc.key, headers: {tenant: 'a'}}); log('sent ' + doc.n); }";

    @TempDir
    private static Path brokerDirectory;

    private static KafkaBroker broker;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(brokerDirectory);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @Test
    void brokerAndWorkerKilledInTheMiddle_loseNoMessageAndNoOrder() throws Exception {
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            broker.create("orders", PARTITIONS, Map.of());
            WorkerSetup setup = setup(redis, "orders");
            try (WorkerProcess worker = WorkerProcess.startInterpreted(setup)) {
                for (int round = 1; round <= ROUNDS; round++) {
                    send(worker, round);
                    if (round == ROUNDS / 2) {
                        broker.kill();
                        broker.restart();
                    }
                }
                Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == (long) KEYS * ROUNDS);

                assertThat(worker.failures()).isEmpty();
                assertThat(newestOfKeys())
                        .hasSize(KEYS)
                        .allSatisfy((key, n) -> assertThat(n).isEqualTo(ROUNDS));
                broker.kill();
                send(worker, ROUNDS + 1);
                String sent = "sent " + (ROUNDS + 1);
                Awaitility.await().atMost(PATIENCE).until(() -> lines(worker, sent) == KEYS);
                worker.process().destroyForcibly().waitFor();
                assertThat(worker.answered())
                        .as("what is not in Kafka is not acknowledged")
                        .isEqualTo((long) KEYS * ROUNDS);
                broker.restart();
            }

            try (WorkerProcess worker = WorkerProcess.startInterpreted(setup)) {
                send(worker, ROUNDS + 1); // as a node does with what was not acknowledged
                Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == KEYS);
            }
            assertThat(newestOfKeys())
                    .hasSize(KEYS)
                    .allSatisfy((key, n) -> assertThat(n).isEqualTo(ROUNDS + 1));
        }
    }

    @Test
    void topicMadeAfterTheMessage_getsIt() throws Exception {
        try (OwnRedis redis = OwnRedis.startVolatile();
                WorkerProcess worker = WorkerProcess.startInterpreted(setup(redis, "late"))) {
            worker.send(0, List.of(Samples.update("a", 1, "{\"key\":\"k\",\"n\":1}")));
            broker.create("late", 1, Map.of());

            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 1);

            assertThat(worker.failures()).isEmpty();
            assertThat(broker.messages("late")).singleElement().satisfies(message -> {
                assertThat(message.key()).isEqualTo("k");
                assertThat(message.value()).isEqualTo("{\"n\":1}");
                assertThat(header(message, "tenant")).isEqualTo("a");
                assertThat(header(message, "content-type")).isEqualTo("application/json");
                assertThat(header(message, "millrace-id")).isNotEmpty();
            });
        }
    }

    @Test
    void clusterWithoutSettings_failsTheInvocation() throws Exception {
        try (OwnRedis redis = OwnRedis.startVolatile();
                WorkerProcess worker = WorkerProcess.startInterpreted(setup(redis, "orders"))) {
            Files.delete(directory.resolve("shop.properties"));
            worker.send(0, List.of(Samples.update("a", 1, "{\"key\":\"k\",\"n\":1}")));

            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 1);

            assertThat(worker.failures().toString())
                    .contains("The message for the topic orders was not stored")
                    .contains("The settings of the Kafka cluster 'shop' cannot be read from");
        }
    }

    /** Returns the last number of each key; fails unless every message, duplicates left out, is the next one of its key. */
    private static Map<String, Integer> newestOfKeys() {
        Set<String> seen = new HashSet<>();
        Map<String, Integer> newest = new HashMap<>();
        for (ConsumerRecord<String, String> message : broker.messages("orders")) {
            if (seen.add(header(message, "millrace-id"))) {
                int n = Integer.parseInt(message.value().replaceAll("\\D", ""));
                Integer before = newest.put(message.key(), n);
                assertThat(n).isEqualTo(before == null ? 1 : before + 1);
            }
        }
        return newest;
    }

    private static long lines(WorkerProcess worker, String text) {
        return worker.log().stream().filter(line -> line.text().contains(text)).count();
    }

    private static String header(ConsumerRecord<String, String> message, String name) {
        return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static void send(WorkerProcess worker, int round) throws Exception {
        for (int thread = 0; thread < THREADS; thread++) {
            worker.send(thread, Samples.round(round, thread, THREADS, KEYS));
        }
    }

    private WorkerSetup setup(OwnRedis redis, String topic) throws Exception {
        Files.writeString(directory.resolve("shop.properties"), "bootstrap.servers=" + broker.address() + "\n");
        return new WorkerSetup(
                "f",
                "instance1",
                new WorkerSetup.Source(PUBLISH, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(THREADS, 120_000, 512L << 20),
                "INFO",
                "source",
                redis.url(),
                List.of(),
                HandlerSettings.STANDARD
                        .withAccess(new HandlerSettings.Access(
                                List.of(), List.of(), List.of(), "drivers", directory.toString()))
                        .withTopics(List.of(new Topic("orders", Topic.Kind.KAFKA, "shop", topic, 1))));
    }
}
