package io.millrace.eventing.runtime;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.VBuckets;
import io.millrace.streams.StreamStores;
import io.millrace.streams.codec.StreamJson;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PageRequest.Direction;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.workerprotocol.Event;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The event streams of a keyspace as functions see them. Thread-safe; no call blocks. */
public final class EventStreams {

    private static final int BATCHES_PER_PAGE = 1;

    private final StreamStore store;
    private final Keyspace keyspace;

    private EventStreams(StreamStore store, Keyspace keyspace) {
        this.store = store;
        this.keyspace = keyspace;
    }

    /** Returns the streams of the source of a function that handles events. */
    public static EventStreams of(FunctionSpec spec, RuntimeEnvironment environment) {
        Keyspace keyspace = spec.source().keyspace();
        return new EventStreams(StreamStores.on(environment.source(spec), keyspace), keyspace);
    }

    /** Opens the bucket of event streams. */
    public static DocumentStore documents(DocumentStore all) {
        return all.with(SystemHandle.STREAMS);
    }

    /** Reads some events from an index on, oldest first. */
    public CompletableFuture<Page> read(StreamName stream, long from) {
        return store.read(stream, new PageRequest(Direction.FORWARD, from, PageRequest.END, BATCHES_PER_PAGE));
    }

    /** Completes with one event, or with nothing if the stream does not have it or has pruned it. */
    public CompletableFuture<Optional<TimelineEvent>> at(StreamName stream, long index) {
        return store.read(stream, new PageRequest(Direction.FORWARD, index, index + 1, BATCHES_PER_PAGE))
                .thenApply(page -> page.events().stream()
                        .filter(event -> event.index() == index)
                        .findFirst());
    }

    /** Completes with an event as it is sent to workers, or with nothing if it cannot be read any more. */
    public CompletableFuture<Optional<Event>> find(String stream, long index) {
        StreamName name = StreamName.parse(stream);
        return at(name, index).thenApply(found -> found.map(event -> event(name, event)));
    }

    /** Returns an event as it is sent to workers. */
    public Event event(StreamName stream, TimelineEvent event) {
        StreamJson.Shown shown = StreamJson.shown(stream, event);
        String name = stream.toString();
        return new Event(
                Event.Kind.APPENDED,
                new Event.Key(keyspace.scope(), keyspace.collection(), name, VBuckets.of(name)),
                new Event.Version(event.seqno(), event.index(), 0),
                new Event.Content(0, 0, false, shown.data(), shown.about(), null));
    }
}
