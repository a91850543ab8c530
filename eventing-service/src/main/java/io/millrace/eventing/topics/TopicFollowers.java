package io.millrace.eventing.topics;

import io.millrace.eventing.topics.TopicStore.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what comes next in topics. Those who wait at the same place of a topic share its reads, so a topic is read once
 * however many follow it. Thread-safe.
 */
public final class TopicFollowers {

    /** The most entries of a page. */
    static final int ENTRIES_PER_PAGE = 20;

    /** How long to wait before a topic that has nothing new is read again. */
    static final Duration LOOK = Duration.ofMillis(100);

    /**
     * What follows a place.
     *
     * @param gap whether entries between the place and these may have been removed
     */
    public record Page(boolean gap, List<Entry> entries) {}

    private record Place(String topic, String after) {}

    private final TopicReader reader;
    private final Map<Place, List<CompletableFuture<Page>>> waiting = new HashMap<>(); // guarded by this

    public TopicFollowers(TopicReader reader) {
        this.reader = reader;
    }

    /** Completes with the id of the newest entry, {@link TopicReader#START} if there is none. */
    public CompletableFuture<String> newest(String topic) {
        return reader.newest(topic);
    }

    /**
     * Completes when the topic has entries behind an id, with the first of them; fails when Redis cannot be read. To cancel it
     * ends the wait.
     */
    public CompletableFuture<Page> next(String topic, String after) {
        CompletableFuture<Page> waiter = new CompletableFuture<>();
        Place place = new Place(topic, after);
        synchronized (this) {
            List<CompletableFuture<Page>> others = waiting.get(place);
            if (others != null) {
                others.add(waiter);
                return waiter;
            }
            waiting.put(place, new ArrayList<>(List.of(waiter)));
        }
        look(place);
        return waiter;
    }

    private void look(Place place) {
        reader.after(place.topic(), place.after(), ENTRIES_PER_PAGE)
                .thenCompose(entries -> page(place, entries))
                .whenComplete((page, failure) -> {
                    if (failure != null) {
                        taken(place).forEach(waiter -> waiter.completeExceptionally(failure));
                    } else if (page != null) {
                        taken(place).forEach(waiter -> waiter.complete(page));
                    } else if (wanted(place)) {
                        CompletableFuture.delayedExecutor(LOOK.toMillis(), TimeUnit.MILLISECONDS)
                                .execute(() -> look(place));
                    }
                });
    }

    /** Streams remove their oldest entries, so nothing is missing behind an entry that is still there. */
    private CompletableFuture<@Nullable Page> page(Place place, List<Entry> entries) {
        if (entries.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        if (place.after().equals(TopicReader.START)) {
            return CompletableFuture.completedFuture(new Page(false, entries));
        }
        return reader.find(place.topic(), place.after()).thenApply(found -> new Page(found.isEmpty(), entries));
    }

    private synchronized List<CompletableFuture<Page>> taken(Place place) {
        List<CompletableFuture<Page>> waiters = waiting.remove(place);
        return waiters == null ? List.of() : waiters;
    }

    /** Returns whether a follower still waits there; if not, forgets the place. */
    private synchronized boolean wanted(Place place) {
        List<CompletableFuture<Page>> waiters = waiting.getOrDefault(place, List.of());
        waiters.removeIf(CompletableFuture::isDone);
        if (waiters.isEmpty()) {
            waiting.remove(place);
        }
        return !waiters.isEmpty();
    }

    /** Returns at how many places of topics followers wait. */
    synchronized int places() {
        return waiting.size();
    }
}
