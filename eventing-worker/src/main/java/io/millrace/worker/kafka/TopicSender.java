package io.millrace.worker.kafka;

import io.millrace.documents.DocumentsException;
import io.millrace.worker.messages.Message;
import io.millrace.worker.messages.MessageDefect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Hands the messages for one topic to its producer, in their order, on a thread that may wait: a producer blocks until it knows
 * the partitions of a topic. It repeats messages itself and keeps those of a partition in order.
 */
final class TopicSender {

    static final String ID = "millrace-id";
    static final String CONTENT_TYPE = "content-type";

    private final Cluster cluster;
    private final String topic;
    private final Duration patience;
    private final Executor threads;

    // guarded by this
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean handing;

    private record Waiting(Message message, long giveUpNanos, CompletableFuture<Void> answer) {}

    /** @param patience how long a message waits for the topic to be known, and then how long the producer repeats it */
    TopicSender(Cluster cluster, String topic, Duration patience, Executor threads) {
        this.cluster = cluster;
        this.topic = topic;
        this.patience = patience;
        this.threads = threads;
    }

    CompletableFuture<Void> send(Message message) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        synchronized (this) {
            waiting.addLast(new Waiting(message, System.nanoTime() + patience.toNanos(), answer));
            if (handing) {
                return answer;
            }
            handing = true;
        }
        threads.execute(this::handAll);
        return answer;
    }

    private void handAll() {
        for (Waiting next = next(); next != null; next = next()) {
            try {
                hand(next);
            } catch (RuntimeException | Error e) { // a defect, which must not keep back the messages that wait
                next.answer().completeExceptionally(MessageDefect.report(next.message(), e));
            }
        }
    }

    private synchronized @Nullable Waiting next() {
        Waiting next = waiting.pollFirst();
        handing = next != null;
        return next;
    }

    private void hand(Waiting one) {
        Producer<byte[], byte[]> producer;
        try {
            producer = cluster.producer();
        } catch (DocumentsException e) {
            one.answer().completeExceptionally(e);
            return;
        }
        try {
            awaitTopic(producer, one.giveUpNanos());
            producer.send(record(one.message()), (stored, failure) -> ended(one, producer, failure));
        } catch (KafkaException | IllegalStateException e) { // the latter from a producer that was closed
            ended(one, producer, e);
        }
    }

    /** Waits until the partitions of the topic are known, which they are at once after the first time. */
    private void awaitTopic(Producer<byte[], byte[]> producer, long giveUpNanos) {
        while (true) {
            if (System.nanoTime() - giveUpNanos > 0) {
                throw new UnknownTopic();
            }
            try {
                producer.partitionsFor(topic);
                return;
            } catch (TimeoutException e) {
                // asked again: the broker may be about to return, or the topic about to be made
            }
        }
    }

    private ProducerRecord<byte[], byte[]> record(Message message) {
        Headers headers = new RecordHeaders();
        message.headers().forEach((name, value) -> headers.add(name, bytes(value)));
        headers.add(CONTENT_TYPE, bytes(message.contentType()));
        headers.add(ID, bytes(message.id()));
        String key = message.key();
        return new ProducerRecord<>(topic, null, key == null ? null : bytes(key), message.content(), headers);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void ended(Waiting one, Producer<byte[], byte[]> by, @Nullable Exception failure) {
        if (failure == null) {
            one.answer().complete(null);
            return;
        }
        DocumentsException described = described(failure);
        cluster.failed(by, failure, described);
        one.answer().completeExceptionally(described);
    }

    private DocumentsException described(Exception failure) {
        String name = cluster.name();
        String message = String.valueOf(failure.getMessage());
        String why = switch (failure) {
            case UnknownTopic none ->
                "The Kafka cluster '%s' does not answer, or has no topic '%s'. Check that its brokers can be reached and that the topic exists"
                        .formatted(name, topic);
            case TimeoutException late ->
                "The Kafka cluster '%s' did not confirm it in time (%s). Check its brokers and in-sync replicas"
                        .formatted(name, message);
            case RecordTooLargeException large ->
                "The Kafka cluster '%s' takes no message of this size (%s). Raise max.message.bytes of the topic"
                        .formatted(name, message);
            case AuthenticationException account ->
                "The Kafka cluster '%s' refused the account in %s.properties (%s)".formatted(name, name, message);
            case AuthorizationException right ->
                "The Kafka cluster '%s' does not allow it to the account in %s.properties (%s)"
                        .formatted(name, name, message);
            default -> "The Kafka cluster '%s' did not store it (%s)".formatted(name, message);
        };
        return DocumentsException.of(
                failure instanceof TimeoutException
                        ? DocumentsException.Code.UNAVAILABLE
                        : DocumentsException.Code.REFUSED,
                why,
                failure);
    }

    /** The topic was not found in time. */
    private static final class UnknownTopic extends TimeoutException {

        private static final long serialVersionUID = 1L;
    }
}
