package io.millrace.metakvservice.streams;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.metakvservice.entries.BucketCreation;
import io.millrace.streams.StreamContext;
import io.millrace.streams.StreamEvents;
import io.millrace.streams.StreamStores;
import io.millrace.streams.follow.EventFeed;
import io.millrace.streams.follow.Position;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The bucket of the streams of other programs; it is created when it is first missed. */
@Component
final class StreamBucket {

    static final String NAME = "_streams";
    private static final Keyspace KEYSPACE = Keyspace.of(NAME);

    private final DocumentStore documents;
    private final StreamStore store;
    private final StreamEvents events;

    StreamBucket(DocumentStore documents) {
        this.documents = documents.with(SystemHandle.STREAMS);
        this.store = StreamStores.on(this.documents, KEYSPACE);
        this.events = new StreamEvents(StreamContext.of(store));
    }

    StreamStore store() {
        return store;
    }

    StreamEvents events() {
        return events;
    }

    /** Returns ids of streams in the order of their bytes. */
    Mono<List<String>> names(IdRange range, int max) {
        return call(() -> documents.ids(KEYSPACE, range, max));
    }

    /** Opens a feed of the events of many streams; empty when the history up to the position is lost. */
    Mono<EventFeed> feed(Predicate<StreamName> wanted, Position since) {
        return call(() -> documents
                        .branch(NAME, 0)
                        .thenCombine(
                                documents.highSeqno(NAME, 0),
                                (branch, newest) -> since.scanned() <= newest && !branch.lost(since.scanned())))
                .filter(there -> there)
                .map(there -> new EventFeed(documents, store, KEYSPACE, wanted, since));
    }

    /** Makes a call, and repeats it once if the bucket had to be created. */
    <T> Mono<T> call(Supplier<CompletableFuture<T>> call) {
        return BucketCreation.whenMissed(
                () -> Mono.fromFuture(call),
                () -> BucketCreation.of(() -> documents.catalog().createBucket(NAME, 1)));
    }
}
