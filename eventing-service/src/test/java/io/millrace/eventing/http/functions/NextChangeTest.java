package io.millrace.eventing.http.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.TransactionId;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.runtime.EventStreams;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HandlerSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NextChangeTest {

    private static final Keyspace KEYSPACE = Keyspace.of("_streams");
    private static final EncodedEvent ADDED = EncodedEvent.of("Added", "{}", Instant.EPOCH);

    private final MemoryDocumentStore all = new MemoryDocumentStore(InstantSource.system());
    private final DocumentStore documents = all.with(SystemHandle.STREAMS);

    private static FunctionSpec spec() {
        return new FunctionSpec(
                new FunctionSpec.Identity("f", "instance-1", "id-1", 1),
                "function OnEvent(event, meta) {}",
                new FunctionSpec.Language("7.2.0", List.of(), List.of(), false),
                new FunctionSpec.Source(KEYSPACE, FeedBoundary.EVERYTHING, "", "Cart", 0),
                Keyspace.of("meta"),
                new FunctionSpec.Workers(1, 1, new Placement("", Placement.Isolation.SHARED)),
                new FunctionSpec.Limits(Duration.ofSeconds(2), 1 << 20, FunctionSpec.STANDARD_HOP_LIMIT),
                Duration.ofSeconds(1),
                "INFO",
                List.of(),
                HandlerSettings.STANDARD,
                Handling.AS_COUCHBASE);
    }

    private static void sync(
            StreamStore streams, String stream, List<EncodedEvent> events, List<EncodedEvent> unfolds) {
        SyncRequest request = new SyncRequest(
                Expected.any(),
                events,
                unfolds,
                Limits.DEFAULT_EVENTS_IN_TIP,
                Limits.DEFAULT_TIP_BYTES,
                TransactionId.random());
        streams.sync(StreamName.parse(stream), request).join();
    }

    /** A change of a stream need not append an event: it may be new unfolds only. */
    @Test
    void changeWithoutAnEvent_doesNotHideTheEventAfterIt() {
        documents.catalog().createBucket(KEYSPACE.bucket(), 1).join();
        StreamStore streams = StreamStores.on(documents, KEYSPACE);
        sync(streams, "Cart-1", List.of(ADDED), List.of());
        sync(streams, "Cart-1", List.of(), List.of(ADDED));
        sync(streams, "Cart-2", List.of(ADDED), List.of());
        List<Document> changed = Stream.of("Cart-1", "Cart-2")
                .map(stream -> documents.get(new DocumentKey(KEYSPACE, stream)).join())
                .flatMap(Optional::stream)
                .toList();

        Optional<Event> first = NextChange.firstAppended(EventStreams.of(spec(), all), changed.iterator())
                .join();

        assertThat(changed).hasSize(2);
        assertThat(first).map(Event::id).contains("Cart-2");
    }
}
