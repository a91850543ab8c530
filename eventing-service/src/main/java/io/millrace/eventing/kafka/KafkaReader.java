package io.millrace.eventing.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads partitions of one topic from places that its caller names. For one thread. Calls wait for Kafka, each for a limited time,
 * and fail with {@link KafkaUnreadable}.
 */
public final class KafkaReader implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(200);

    private final String cluster;
    private final String topic;
    private final Consumer<byte[], byte[]> consumer;

    /**
     * What was read.
     *
     * @param messages those of a partition in their order
     * @param gaps where the place to read from is not in the topic, so that the reader goes on with the first message that is
     */
    public record Batch(List<KafkaMessage> messages, List<Gap> gaps) {}

    /** Offsets that a topic does not have: it has removed them, or was made again. */
    public record Gap(int partition, long wanted, long first) {}

    KafkaReader(String cluster, String topic, Consumer<byte[], byte[]> consumer) {
        this.cluster = cluster;
        this.topic = topic;
        this.consumer = consumer;
    }

    /** Returns the numbers of all partitions. */
    public List<Integer> partitions() {
        List<PartitionInfo> found = call(() -> consumer.partitionsFor(topic, PATIENCE));
        if (found == null || found.isEmpty()) {
            throw KafkaUnreadable.missing(cluster, topic);
        }
        return found.stream().map(PartitionInfo::partition).sorted().toList();
    }

    /** Returns the offsets of the oldest messages of partitions. */
    public Map<Integer, Long> firsts(Collection<Integer> partitions) {
        return byNumber(call(() -> consumer.beginningOffsets(places(partitions), PATIENCE)));
    }

    /** Returns the offsets of the first messages of partitions since a time in milliseconds since 1970, by their timestamps. */
    public Map<Integer, Long> since(Collection<Integer> partitions, long millis) {
        Map<Integer, Long> offsets = ends(partitions); // of those without such a message
        Map<TopicPartition, Long> wanted =
                places(partitions).stream().collect(Collectors.toMap(place -> place, place -> millis));
        call(() -> consumer.offsetsForTimes(wanted, PATIENCE)).forEach((place, found) -> {
            if (found != null) {
                offsets.put(place.partition(), found.offset());
            }
        });
        return offsets;
    }

    /** Returns the offsets behind the newest messages of partitions. */
    public Map<Integer, Long> ends(Collection<Integer> partitions) {
        return byNumber(call(() -> consumer.endOffsets(places(partitions), PATIENCE)));
    }

    /** Reads further partitions, each from an offset on. */
    public void add(Map<Integer, Long> offsets) {
        Set<TopicPartition> all = new HashSet<>(consumer.assignment());
        all.addAll(places(offsets.keySet()));
        call(() -> {
            consumer.assign(all);
            offsets.forEach((partition, offset) -> consumer.seek(place(partition), offset));
            return true;
        });
    }

    /** Gives no messages of these partitions for now, and those of all others. */
    public void hold(Collection<Integer> partitions) {
        List<TopicPartition> held = places(partitions);
        consumer.pause(held);
        consumer.resume(consumer.paused().stream()
                .filter(place -> !held.contains(place))
                .toList());
    }

    /** Returns what comes next in the partitions that are read; nothing if there is nothing new for a moment. */
    public Batch poll() {
        try {
            List<KafkaMessage> messages = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> found : consumer.poll(POLL)) {
                messages.add(KafkaMessage.of(found));
            }
            return new Batch(messages, List.of());
        } catch (OffsetOutOfRangeException e) {
            return new Batch(List.of(), behind(byNumber(e.offsetOutOfRangePartitions())));
        } catch (KafkaException e) {
            throw KafkaUnreadable.of(cluster, topic, e);
        }
    }

    private List<Gap> behind(Map<Integer, Long> wanted) {
        Map<Integer, Long> firsts = firsts(wanted.keySet());
        List<Gap> gaps = new ArrayList<>();
        firsts.forEach((partition, first) -> {
            consumer.seek(place(partition), first);
            gaps.add(new Gap(partition, wanted.getOrDefault(partition, first), first));
        });
        return gaps;
    }

    /** Returns how many messages of the partitions that are read were not given yet; one where that is not known. */
    public long unread() {
        return consumer.assignment().stream()
                .mapToLong(place -> consumer.currentLag(place).orElse(1))
                .sum();
    }

    /** Returns the message at an offset of a partition, or nothing if the topic has it no more. */
    Optional<KafkaMessage> find(int partition, long offset) {
        List<Integer> one = List.of(partition);
        if (!partitions().contains(partition)
                || firsts(one).getOrDefault(partition, 0L) > offset
                || ends(one).getOrDefault(partition, 0L) <= offset) {
            return Optional.empty();
        }
        add(Map.of(partition, offset));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            Batch found = poll();
            if (!found.messages().isEmpty() || !found.gaps().isEmpty()) {
                return found.messages().stream()
                        .filter(message -> message.offset() == offset)
                        .findFirst();
            }
        }
        throw KafkaUnreadable.missing(cluster, topic);
    }

    private TopicPartition place(int partition) {
        return new TopicPartition(topic, partition);
    }

    private List<TopicPartition> places(Collection<Integer> partitions) {
        return partitions.stream().map(this::place).toList();
    }

    private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
        return offsets.entrySet().stream()
                .collect(Collectors.toMap(each -> each.getKey().partition(), Map.Entry::getValue));
    }

    private <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (KafkaException e) {
            throw KafkaUnreadable.of(cluster, topic, e);
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
