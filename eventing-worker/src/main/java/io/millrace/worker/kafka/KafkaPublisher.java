package io.millrace.worker.kafka;

import io.millrace.worker.messages.Message;
import io.millrace.workerprotocol.KafkaClusters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sends the messages of all threads of a worker to topics of Kafka clusters. Thread-safe; no call blocks. */
public final class KafkaPublisher {

    private final Settings settings;
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("kafka-", 1).factory());
    private final Map<String, Cluster> clusters = new ConcurrentHashMap<>();
    private final Map<TopicOf, TopicSender> senders = new ConcurrentHashMap<>();

    /**
     * How messages are sent.
     *
     * @param clusters the clusters that exist
     * @param client how brokers see this worker, unless the file says otherwise
     * @param patience how long a message waits for its topic, and then how long it is repeated
     * @param bufferBytes the most bytes of messages that are on their way to one cluster
     */
    public record Settings(KafkaClusters clusters, String client, Duration patience, long bufferBytes) {}

    private record TopicOf(String cluster, String topic) {}

    public KafkaPublisher(Settings settings) {
        this.settings = settings;
    }

    /**
     * Completes when all in-sync replicas of a partition have the message; fails with a {@link
     * io.millrace.documents.DocumentsException} when it was given up. Messages of one key are in one partition, in the order in
     * which they were sent.
     */
    public CompletableFuture<Void> send(String cluster, String topic, Message message) {
        return senders.computeIfAbsent(new TopicOf(cluster, topic), this::sender)
                .send(message);
    }

    private TopicSender sender(TopicOf of) {
        Cluster cluster = clusters.computeIfAbsent(of.cluster(), name -> new Cluster(name, settings, threads));
        return new TopicSender(cluster, of.topic(), settings.patience(), threads);
    }

    /** Ends the connections; what is on its way fails. */
    public void close() {
        clusters.values().forEach(Cluster::close);
        threads.shutdown();
    }
}
