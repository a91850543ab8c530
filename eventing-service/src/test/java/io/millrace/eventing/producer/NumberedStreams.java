package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.TransactionId;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Event streams of a test's own category, whose events have numbers. */
final class NumberedStreams {

    /** To how many streams events are appended in turns. */
    static final int COUNT = 20;

    private static final int RETRY_PAUSE_MILLIS = 50;

    /** All tests share one bucket of streams. */
    private final String category = "c" + UUID.randomUUID().toString().replace("-", "");

    private volatile @Nullable StreamStore store;

    String category() {
        return category;
    }

    /** Appends to all streams in turns. */
    void write(RealWorkers workers, int events) {
        for (int n = 0; n < events; n++) {
            for (int stream = 0; stream < COUNT; stream++) {
                append(workers, Integer.toString(stream), events(n, 1));
            }
        }
    }

    static List<EncodedEvent> events(int from, int count) {
        List<EncodedEvent> events = new ArrayList<>();
        for (int n = from; n < from + count; n++) {
            events.add(EncodedEvent.of("Counted", "{\"n\":%d}".formatted(n), Instant.EPOCH));
        }
        return events;
    }

    void append(RealWorkers workers, String id, List<EncodedEvent> events) {
        SyncRequest request = new SyncRequest(
                Expected.any(),
                events,
                List.of(),
                Limits.DEFAULT_EVENTS_IN_TIP,
                Limits.DEFAULT_TIP_BYTES,
                TransactionId.random());
        StreamName name = StreamName.parse(category + '-' + id);
        assertThat(synced(store(workers), name, request).join()).isInstanceOf(SyncResult.Written.class);
    }

    /** Repeated until Redis took it; its transaction id makes that safe. */
    private static CompletableFuture<SyncResult> synced(StreamStore streams, StreamName name, SyncRequest request) {
        return streams.sync(name, request)
                .exceptionallyCompose(failure -> CompletableFuture.supplyAsync(
                                () -> synced(streams, name, request),
                                CompletableFuture.delayedExecutor(RETRY_PAUSE_MILLIS, TimeUnit.MILLISECONDS))
                        .thenCompose(again -> again));
    }

    /** Returns the streams; a function has created their bucket, or this does. */
    private StreamStore store(RealWorkers workers) {
        StreamStore known = store;
        if (known == null) {
            var documents = workers.documents.with(SystemHandle.STREAMS);
            if (documents.catalog().find("_streams").join().isEmpty()) {
                documents.catalog().createBucket("_streams", 1).join();
            }
            known = StreamStores.on(documents, Keyspace.of("_streams"));
            store = known;
        }
        return known;
    }

    /** Returns the numbers that a handler has collected of a stream. */
    List<Integer> seen(RealWorkers workers, int stream) {
        return EventSources.seen(workers, category + '-' + stream);
    }
}
