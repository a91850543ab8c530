package io.millrace.eventing.kafka;

import io.millrace.workerprotocol.KafkaClusters;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The topics of the Kafka clusters that the operator has named. Thread-safe. */
public final class KafkaTopics {

    /** The most messages that a reader gives at once. */
    static final int MESSAGES_PER_POLL = 200;

    /** How much a broker sends at once, in bytes; a reader holds about twice as much. */
    private static final int FETCH_BYTES = 4 << 20;

    /** How soon a reader knows of partitions that were added. */
    private static final int METADATA_MILLIS = 30_000;

    private final KafkaClusters clusters;
    private final String client;

    /** @param client how brokers see this node, unless the file of the cluster says otherwise */
    public KafkaTopics(KafkaClusters clusters, String client) {
        this.clusters = clusters;
        this.client = client;
    }

    /**
     * Opens a reader, which connects when it is first used.
     *
     * @throws KafkaUnreadable if the settings of the cluster are missing or wrong
     */
    public KafkaReader open(String cluster, String topic) {
        Map<String, Object> settings = settings(cluster);
        try {
            return new KafkaReader(cluster, topic, consumer(settings));
        } catch (KafkaException e) {
            throw KafkaUnreadable.settings(cluster, e);
        }
    }

    /**
     * The client finds classes by the loader of the thread. A thread that was begun by one of the common pool has that of the JVM,
     * which knows no class of a packaged service; if such a thread is the first, no reader can be opened in this process any more.
     */
    private static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(KafkaTopics.class.getClassLoader());
        try {
            return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Completes with the message at an offset, or with nothing if the topic has it no more; fails with {@link KafkaUnreadable}. */
    public CompletableFuture<Optional<KafkaMessage>> find(String cluster, String topic, int partition, long offset) {
        CompletableFuture<Optional<KafkaMessage>> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("kafka-find").start(() -> {
            try (KafkaReader reader = open(cluster, topic)) {
                answer.complete(reader.find(partition, offset));
            } catch (Throwable failure) {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    /** Returns the settings of a consumer. What is promised about messages depends on some; these cannot be set. */
    private Map<String, Object> settings(String cluster) {
        Map<String, Object> all = new HashMap<>();
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, client);
        all.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MILLIS);
        all.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        all.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, "false");
        all.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, ""); // none by JMX
        Properties file = file(cluster);
        file.stringPropertyNames().forEach(name -> all.put(name, file.getProperty(name)));

        List.of(
                        ConsumerConfig.GROUP_ID_CONFIG, // offsets are kept with the checkpoints of the function
                        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                        ConsumerConfig.GROUP_PROTOCOL_CONFIG)
                .forEach(all::remove);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MESSAGES_PER_POLL);
        return all;
    }

    private Properties file(String cluster) {
        try {
            return clusters.settings(cluster);
        } catch (IOException e) {
            throw KafkaUnreadable.file(cluster, clusters.file(cluster).toString(), e);
        }
    }
}
