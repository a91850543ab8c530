package io.millrace.metakvservice.entries;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.streams.StreamContext;
import io.millrace.streams.StreamEvents;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.StreamStore;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The bucket with all data of this service. It is created on the first access that finds it missing. */
@Component
public final class SystemBucket {

    /** One shard: one counter orders all changes. */
    static final int SHARD = 0;

    static final String NAME = "_metakv";

    /** One stream for each path. */
    static final Keyspace ENTRIES = Keyspace.of(NAME);

    public static final Keyspace NODES = new Keyspace(NAME, Keyspace.DEFAULT, "nodes");

    /** The document with the number of the history; no stream has this name. */
    static final DocumentKey HISTORY = new DocumentKey(ENTRIES, "history");

    /** How many events one call reads. */
    private static final int EVENTS_PER_PAGE = 100;

    private final DocumentStore store;
    private final StreamStore streams;
    private final StreamEvents events;

    @Autowired
    SystemBucket(DocumentStore store) {
        this(store, StreamStores.on(store.with(SystemHandle.METAKV), ENTRIES));
    }

    SystemBucket(DocumentStore store, StreamStore streams) {
        this.store = store.with(SystemHandle.METAKV);
        this.streams = streams;
        // the unfold has the whole value, so the tip needs no events
        this.events = new StreamEvents(
                StreamContext.of(streams).withTip(0, 0).withQueries(EVENTS_PER_PAGE, Integer.MAX_VALUE));
    }

    StreamStore streams() {
        return streams;
    }

    StreamEvents events() {
        return events;
    }

    public Mono<Document> get(DocumentKey key) {
        return call(() -> store.get(key)).flatMap(Mono::justOrEmpty);
    }

    Mono<Document> getWithTombstone(DocumentKey key) {
        return call(() -> store.getWithTombstone(key)).flatMap(Mono::justOrEmpty);
    }

    Mono<WriteResult> write(Write write) {
        return call(() -> store.write(write));
    }

    Mono<Long> highSeqno() {
        return call(() -> store.highSeqno(NAME, SHARD));
    }

    /**
     * Returns the number of the history of this bucket. It is a random number, chosen when the bucket is created and again
     * when an instance finds that Redis lost writes. A cursor of another history is not valid in this one.
     */
    Mono<Long> history(boolean another) {
        byte[] drawn = Long.toHexString(ThreadLocalRandom.current().nextLong()).getBytes(StandardCharsets.US_ASCII);
        Write write = another ? Write.upsert(HISTORY, drawn) : Write.insert(HISTORY, drawn);
        return write(write.withDatatype(Datatype.BINARY)).then(get(HISTORY)).map(SystemBucket::history);
    }

    static long history(Document document) {
        return Long.parseUnsignedLong(new String(document.body(), StandardCharsets.US_ASCII), 16);
    }

    /** Creates the bucket and its collection, unless they exist. */
    Mono<Void> create() {
        return BucketCreation.of(() -> store.catalog().createBucket(NAME, 1))
                .then(BucketCreation.of(() -> store.catalog().createCollection(NODES)));
    }

    /** Makes a call, and repeats it once if the bucket had to be created. */
    <T> Mono<T> call(Supplier<CompletableFuture<T>> call) {
        return BucketCreation.whenMissed(() -> Mono.fromFuture(call), this::create);
    }
}
