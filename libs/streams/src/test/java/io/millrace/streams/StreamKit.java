package io.millrace.streams;

import io.millrace.streams.StreamListener.Trip;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamId;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.TimelineEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** What the contract kits of streams need: a store, its trips by kind and, where it has any, the calls to Redis. */
abstract class StreamKit {

    static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    final List<Trip> trips = new CopyOnWriteArrayList<>();
    private long callsBefore;

    /** Returns the store under test. */
    abstract StreamStore store();

    /** Returns another store. */
    abstract StreamStore archive();

    /** Returns how many functions Redis has run for streams so far, or -1 when there is no Redis. */
    abstract long calls();

    static StreamName newStream(String category) {
        return StreamName.create(category, StreamId.of(UUID.randomUUID().toString()));
    }

    StreamContext context(int maxEventsInTip, int batchesPerPage) {
        return StreamContext.of(store())
                .withTip(maxEventsInTip, Limits.DEFAULT_TIP_BYTES)
                .withQueries(batchesPerPage, Integer.MAX_VALUE)
                .withListener((stream, trip) -> trips.add(trip));
    }

    void startCounting() {
        trips.clear();
        callsBefore = calls();
    }

    /** Returns the trips since the last time, after checking that Redis was called as often. */
    List<Trip> trips() {
        List<Trip> made = List.copyOf(trips);
        if (callsBefore >= 0 && calls() - callsBefore != made.size()) {
            throw new AssertionError("%d calls to Redis for the trips %s".formatted(calls() - callsBefore, made));
        }
        startCounting();
        return made;
    }

    static List<EncodedEvent> events(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(n -> EncodedEvent.of("Counted", "{\"n\":" + n + "}", NOW))
                .toList();
    }

    static List<Long> indices(List<TimelineEvent> events) {
        return events.stream().map(TimelineEvent::index).toList();
    }

    static StreamCache cache() {
        return new StreamCache(1000, InstantSource.system());
    }
}
