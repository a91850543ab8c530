package io.millrace.eventing.runtime;

import io.millrace.documents.Document;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

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
        return of(spec, environment.documents());
    }

    /** Returns the streams of the source of a function that handles events. @param all the documents of the suite */
    public static EventStreams of(FunctionSpec spec, DocumentStore all) {
        Keyspace keyspace = spec.source().keyspace();
        return new EventStreams(StreamStores.on(documents(all), keyspace), keyspace);
    }

    /** Returns whether a document is a stream whose events a function handles. */
    public static boolean inSource(Document document, FunctionSpec spec) {
        return document.live()
                && document.key().keyspace().equals(spec.source().keyspace())
                && inCategory(document.key().id(), spec.source().category());
    }

    /** Returns whether a name is that of a stream of a category. */
    public static boolean inCategory(String name, String category) {
        return name.startsWith(category)
                && name.startsWith("-", category.length())
                && name.length() > category.length() + 1;
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

    /** Reads the newest events of a stream, oldest first, and maybe more than were asked for. */
    public CompletableFuture<List<TimelineEvent>> newest(StreamName stream, int most) {
        return newest(stream, most, PageRequest.END, List.of());
    }

    private CompletableFuture<List<TimelineEvent>> newest(
            StreamName stream, int most, long before, List<TimelineEvent> found) {
        return store.read(stream, new PageRequest(Direction.BACKWARD, 0, before, BATCHES_PER_PAGE))
                .thenCompose(page -> {
                    List<TimelineEvent> all = Stream.concat(page.events().stream(), found.stream())
                            .toList();
                    return page.events().isEmpty() || all.size() >= most || page.start() <= page.base()
                            ? CompletableFuture.completedFuture(all)
                            : newest(stream, most, page.start(), all);
                });
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
