package io.millrace.eventing.producer;

import io.millrace.eventing.topics.TopicStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A topic in memory, with one group. */
class MemoryTopic implements TopicStore {

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Entry> pending = new LinkedHashMap<>();
    private final List<Beginning> joined = new CopyOnWriteArrayList<>();
    private int given;
    private boolean lost;

    /** Adds an entry of the millisecond that is its number. */
    synchronized void add(Map<String, byte[]> fields) {
        entries.add(new Entry(entries.size() + 1, 0, fields));
    }

    /** Returns how many entries the group was given. */
    synchronized int given() {
        return given;
    }

    /** Returns where the group began each time that it was joined. */
    List<Beginning> joined() {
        return joined;
    }

    /** Forgets the group, as a Redis does that has lost its data. */
    synchronized void loseGroup() {
        lost = true;
    }

    @Override
    public synchronized CompletableFuture<Void> join(String topic, String group, Beginning beginning) {
        joined.add(beginning);
        lost = false;
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletableFuture<List<Entry>> unacknowledged(
            String topic, String group, String after, int most) {
        List<Entry> found = pending.values().stream()
                .filter(entry -> entry.millis() > Long.parseLong(after.split("-", 2)[0]))
                .limit(most)
                .toList();
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public synchronized CompletableFuture<Given> next(String topic, String group, int most) {
        if (lost) {
            return CompletableFuture.failedFuture(new IllegalStateException("NOGROUP No such key"));
        }
        List<Entry> page = List.copyOf(entries.subList(given, Math.min(entries.size(), given + most)));
        given += page.size();
        page.forEach(entry -> pending.put(entry.id(), entry));
        return CompletableFuture.completedFuture(new Given(page, pending.size()));
    }

    @Override
    public synchronized CompletableFuture<Void> acknowledge(String topic, String group, List<String> ids) {
        pending.keySet().removeAll(ids);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletableFuture<Long> unread(String topic, String group) {
        return CompletableFuture.completedFuture((long) entries.size() - given);
    }

    @Override
    public CompletableFuture<Void> leave(String topic, String group) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<String> newest(String topic) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<Entry>> after(String topic, String id, int most) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized CompletableFuture<Optional<Entry>> find(String topic, String id) {
        return CompletableFuture.completedFuture(
                entries.stream().filter(entry -> entry.id().equals(id)).findFirst());
    }
}
