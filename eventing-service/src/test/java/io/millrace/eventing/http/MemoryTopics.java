package io.millrace.eventing.http;

import io.millrace.eventing.topics.TopicReader;
import io.millrace.eventing.topics.TopicStore.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Topics in memory; those called {@code endless...} have a next large message whatever was read. */
final class MemoryTopics implements TopicReader {

    static final String ENDLESS = "endless";
    static final int LARGE_BYTES = 50_000;

    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::millis).thenComparingLong(Entry::number);

    private final Map<String, List<Entry>> topics = new HashMap<>();
    private final Map<String, Integer> reads = new HashMap<>();
    private boolean away;

    /** Adds an entry of the millisecond that is the number of the entry. */
    synchronized void add(String topic, Map<String, String> fields) {
        List<Entry> entries = topics.computeIfAbsent(topic, name -> new ArrayList<>());
        long millis = entries.isEmpty() ? 1 : entries.getLast().millis() + 1;
        entries.add(entry(millis, fields));
    }

    private static Entry entry(long millis, Map<String, String> fields) {
        Map<String, byte[]> bytes = new HashMap<>();
        fields.forEach((name, value) -> bytes.put(name, value.getBytes(StandardCharsets.UTF_8)));
        return new Entry(millis, 0, bytes);
    }

    synchronized void removeOldest(String topic, int count) {
        topics.getOrDefault(topic, new ArrayList<>()).subList(0, count).clear();
    }

    synchronized void setAway(boolean away) {
        this.away = away;
    }

    synchronized int reads(String topic) {
        return reads.getOrDefault(topic, 0);
    }

    @Override
    public synchronized CompletableFuture<String> newest(String topic) {
        if (away) {
            return CompletableFuture.failedFuture(new IllegalStateException("no Redis"));
        }
        List<Entry> entries = topics.getOrDefault(topic, List.of());
        return CompletableFuture.completedFuture(
                entries.isEmpty() ? START : entries.getLast().id());
    }

    @Override
    public synchronized CompletableFuture<List<Entry>> after(String topic, String id, int most) {
        if (away) {
            return CompletableFuture.failedFuture(new IllegalStateException("no Redis"));
        }
        reads.merge(topic, 1, Integer::sum);
        Entry behind = parsed(id);
        if (topic.startsWith(ENDLESS)) {
            return CompletableFuture.completedFuture(LongStream.rangeClosed(1, most)
                    .mapToObj(n -> entry(behind.millis() + n, Map.of("data", "x".repeat(LARGE_BYTES))))
                    .toList());
        }
        return CompletableFuture.completedFuture(topics.getOrDefault(topic, List.of()).stream()
                .filter(entry -> ORDER.compare(entry, behind) > 0)
                .limit(most)
                .toList());
    }

    @Override
    public synchronized CompletableFuture<Optional<Entry>> find(String topic, String id) {
        Entry wanted = parsed(id);
        if (topic.startsWith(ENDLESS)) {
            return CompletableFuture.completedFuture(Optional.of(wanted));
        }
        return CompletableFuture.completedFuture(topics.getOrDefault(topic, List.of()).stream()
                .filter(entry -> ORDER.compare(entry, wanted) == 0)
                .findFirst());
    }

    private static Entry parsed(String id) {
        int dash = id.indexOf('-');
        return new Entry(Long.parseLong(id.substring(0, dash)), Long.parseLong(id.substring(dash + 1)), Map.of());
    }
}
