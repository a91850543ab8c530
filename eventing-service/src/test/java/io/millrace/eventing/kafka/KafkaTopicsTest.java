package io.millrace.eventing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.KafkaClusters;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaTopicsTest {

    @Test
    void reader_isOpenedByAThreadWithAnotherClassLoader(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("shop.properties"), """
                bootstrap.servers=127.0.0.1:9
                sasl.oauthbearer.jwt.retriever.class=org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever
                """);
        KafkaTopics topics = new KafkaTopics(new KafkaClusters(directory), "test");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        ClassLoader other = ClassLoader.getPlatformClassLoader();
        thread.setContextClassLoader(other);

        try (KafkaReader reader = topics.open("shop", "orders")) {
            assertThat(reader).isNotNull();
            assertThat(thread.getContextClassLoader()).isSameAs(other);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
