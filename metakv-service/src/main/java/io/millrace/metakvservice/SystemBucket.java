package io.millrace.metakvservice;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The bucket that holds everything of this service; it is created when it is first missed. */
@Component
final class SystemBucket {

    /** One shard: one counter orders all changes. */
    static final int SHARD = 0;

    static final String NAME = "_metakv";
    static final Keyspace ENTRIES = Keyspace.of(NAME);
    static final Keyspace NODES = new Keyspace(NAME, Keyspace.DEFAULT, "nodes");

    /** A document that means nothing; no path is like this. */
    static final DocumentKey NUDGE = new DocumentKey(ENTRIES, "nudge");

    private final DocumentStore store;

    SystemBucket(DocumentStore store) {
        this.store = store;
    }

    Mono<Document> get(DocumentKey key) {
        return inBucket(() -> Mono.fromFuture(() -> store.get(key))).flatMap(Mono::justOrEmpty);
    }

    Mono<WriteResult> write(Write write) {
        return inBucket(() -> Mono.fromFuture(() -> store.write(write)));
    }

    /** Makes a change that means nothing. */
    Mono<WriteResult> nudge() {
        return write(Write.upsert(NUDGE, new byte[0]).withDatatype(Datatype.BINARY));
    }

    Mono<Long> highSeqno() {
        return inBucket(() -> Mono.fromFuture(() -> store.highSeqno(NAME, SHARD)));
    }

    /** Creates what is missing. */
    Mono<Void> create() {
        return Creation.of(() -> store.catalog().createBucket(NAME, 1))
                .then(Creation.of(() -> store.catalog().createCollection(NODES)));
    }

    private <T> Mono<T> inBucket(Supplier<Mono<T>> call) {
        return Creation.whenMissed(call, this::create);
    }
}
