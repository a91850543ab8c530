package io.millrace.worker.kafka;

import io.millrace.documents.DocumentsException;
import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.KafkaClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Reads what the operator has set for a cluster: settings of Kafka's client, in its own form of a file. */
final class ClusterFile {

    /** A message with its key and headers in the form in which it travels. */
    private static final int REQUEST_BYTES = WorkerLimits.MAX_MESSAGE_BYTES + (256 << 10);

    /** The client's default. */
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(30);

    private static final int REQUESTS_WITHIN_PATIENCE = 3;

    private ClusterFile() {}

    /** Returns the settings of a producer. What is promised about messages depends on some; these cannot be set. */
    static Map<String, Object> producer(String cluster, KafkaPublisher.Settings settings) {
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.CLIENT_ID_CONFIG, settings.client());
        all.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, "false");
        Properties file = read(cluster, settings.clusters());
        file.stringPropertyNames().forEach(name -> all.put(name, file.getProperty(name)));

        long patience = settings.patience().toMillis();
        long request = Math.min(LONGEST_REQUEST.toMillis(), patience / REQUESTS_WITHIN_PATIENCE);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        all.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(Math.min(patience, Integer.MAX_VALUE)));
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(request));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, WorkerLimits.KAFKA_TOPIC_LOOK.toMillis());
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, settings.bufferBytes());
        return all;
    }

    private static Properties read(String cluster, KafkaClusters clusters) {
        try {
            return clusters.settings(cluster);
        } catch (IOException e) {
            throw DocumentsException.of(
                    DocumentsException.Code.REFUSED,
                    "The settings of the Kafka cluster '%s' cannot be read from %s on this node (%s). Put the same file on each eventing node"
                            .formatted(
                                    cluster,
                                    clusters.file(cluster),
                                    e.getClass().getSimpleName()),
                    e);
        }
    }
}
