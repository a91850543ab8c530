package io.millrace.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.documents.DocumentsException;
import io.millrace.testkit.KafkaBroker;
import io.millrace.worker.messages.Message;
import io.millrace.workerprotocol.KafkaClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster refuses, and what its settings get wrong. */
@Timeout(480)
class KafkaPublisherIT {

    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(3);
    private static final String ACCOUNT = """
            bootstrap.servers=%s
            security.protocol=SASL_PLAINTEXT
            sasl.mechanism=PLAIN
            sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="%s";
            """;

    @TempDir
    private Path directory;

    private KafkaPublisher publisher;

    @BeforeEach
    void open() {
        publisher = publisher(PATIENCE);
    }

    @AfterEach
    void close() {
        publisher.close();
    }

    private KafkaPublisher publisher(Duration patience) {
        return new KafkaPublisher(
                new KafkaPublisher.Settings(new KafkaClusters(directory), "test", patience, 32 << 20));
    }

    private void settings(String text) throws IOException {
        Files.writeString(directory.resolve("shop.properties"), text);
    }

    private CompletableFuture<Void> send(String topic, String content) {
        return publisher.send("shop", topic, new Message("1", "k", "text/plain", Map.of(), content.getBytes()));
    }

    private String refusal(String topic, String content) {
        Throwable failure = catchThrowableOfType(
                        ExecutionException.class,
                        () -> send(topic, content).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .getCause();
        assertThat(failure).isInstanceOf(DocumentsException.class);
        return String.valueOf(Objects.requireNonNull(failure).getMessage());
    }

    @Test
    void messageThatTheTopicDoesNotTake_fails_andTheNextOneIsSent() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(directory)) {
            broker.create("small", 1, Map.of("max.message.bytes", "1000"));
            settings("bootstrap.servers=" + broker.address() + "\nacks=0\nenable.idempotence=false\n");

            assertThat(refusal("small", "x".repeat(5_000)))
                    .startsWith("The Kafka cluster 'shop' takes no message of this size")
                    .endsWith("Raise max.message.bytes of the topic");
            Map<String, String> none = Collections.singletonMap("tenant", null); // which no handler can send
            assertThat(publisher.send("shop", "small", new Message("2", "k", "text/plain", none, new byte[0])))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withMessageContaining("because of a defect of Millrace: java.lang.NullPointerException");
            send("small", "y").get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

            assertThat(broker.messages("small"))
                    .singleElement()
                    .satisfies(message -> assertThat(message.value()).isEqualTo("y"));
        }
    }

    @Test
    void refusedAccount_isTriedAgainWhenTheFileIsCorrected() throws Exception {
        try (KafkaBroker broker = KafkaBroker.startWithAccount(directory, "app", "right-secret")) {
            settings(ACCOUNT.formatted(broker.address(), "wrong-secret"));
            assertThat(refusal("orders", "x"))
                    .startsWith("The Kafka cluster 'shop' refused the account in shop.properties")
                    .doesNotContain("secret");

            settings(ACCOUNT.formatted(broker.address(), "right-secret"));
            broker.create("orders", directory.resolve("shop.properties"));

            Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .untilAsserted(() -> send("orders", "x").get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void clusterThatDoesNotAnswer_isGivenUpInTime() throws Exception {
        publisher.close();
        publisher = publisher(SHORT_PATIENCE);
        settings("bootstrap.servers=127.0.0.1:1\n");

        CompletableFuture<Void> first = send("orders", "x");

        assertThat(refusal("orders", "y"))
                .isEqualTo(
                        "The Kafka cluster 'shop' does not answer, or has no topic 'orders'. Check that its brokers can be reached and that the topic exists");
        assertThat(first).isCompletedExceptionally();
    }

    @Test
    void wrongSetting_isNamedWithoutSecrets() throws Exception {
        settings(ACCOUNT.formatted("127.0.0.1:1", "secret") + "linger.ms=soon\n");
        assertThat(refusal("orders", "x"))
                .startsWith(
                        "The Kafka cluster 'shop' cannot be used with the settings in shop.properties: Invalid value soon for configuration linger.ms");

        publisher.close();
        publisher = publisher(PATIENCE);
        settings("bootstrap.servers=127.0.0.1:1\nsecurity.protocol=SASL_SSL\nsasl.jaas.config=secret\n");
        assertThat(refusal("orders", "x")).contains("shop.properties").doesNotContain("secret");
    }
}
