package io.millrace.metakvservice.streams;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.metakvservice.entries.BucketCreation;
import io.millrace.streams.StreamContext;
import io.millrace.streams.StreamEvents;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.StreamStore;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The bucket of the streams of other programs; it is created when it is first missed. */
@Component
final class StreamBucket {

    static final String NAME = "_streams";

    private final DocumentStore documents;
    private final StreamStore store;
    private final StreamEvents events;

    StreamBucket(DocumentStore documents) {
        this.documents = documents.with(SystemHandle.STREAMS);
        this.store = StreamStores.on(this.documents, Keyspace.of(NAME));
        this.events = new StreamEvents(StreamContext.of(store));
    }

    StreamStore store() {
        return store;
    }

    StreamEvents events() {
        return events;
    }

    /** Makes a call, and repeats it once if the bucket had to be created. */
    <T> Mono<T> call(Supplier<CompletableFuture<T>> call) {
        return BucketCreation.whenMissed(
                () -> Mono.fromFuture(call),
                () -> BucketCreation.of(() -> documents.catalog().createBucket(NAME, 1)));
    }
}
