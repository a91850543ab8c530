package io.millrace.n1qldocuments;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Documents that statements of this process have read and that have not changed since, so that a statement that reads many of a
 * collection again asks the store only for what has changed. Thread-safe.
 */
public final class DocumentCache {

    /** The part of the heap that documents may take. */
    private static final int PART_OF_HEAP = 16;

    private final long mostBytes;
    private final InstantSource clock;
    /** The collections, the one that was read last at the end; guarded by this. */
    private final Map<Name, CachedCollection> collections = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /** A collection of a bucket: numbers and incarnations are never used again. */
    private record Name(String bucket, long incarnation, int collection) {}

    /** @param mostBytes what documents and their keys may take, about */
    public DocumentCache(long mostBytes, InstantSource clock) {
        this.mostBytes = mostBytes;
        this.clock = clock;
    }

    /** Returns a cache with a small part of the heap of this process. */
    public static DocumentCache ofHeap(InstantSource clock) {
        return new DocumentCache(Runtime.getRuntime().maxMemory() / PART_OF_HEAP, clock);
    }

    /** Returns the documents of a collection as they are now; null when the collection has been dropped. */
    @Nullable
    CompletableFuture<CachedCollection.View> view(DocumentStore store, BucketInfo bucket, Keyspace keyspace) {
        Integer number = bucket.collectionNumbers().get(keyspace);
        return number == null
                ? null
                : collection(new Name(bucket.name(), bucket.incarnation(), number), bucket.shards(), keyspace)
                        .view(store, clock);
    }

    private synchronized CachedCollection collection(Name name, int shards, Keyspace keyspace) {
        return collections.computeIfAbsent(name, missing -> new CachedCollection(this, keyspace, shards));
    }

    /** Counts bytes for a collection; makes room by emptying those that have not been read for longest. False without room. */
    boolean take(CachedCollection by, long wanted) {
        synchronized (this) {
            if (bytes + wanted <= mostBytes) {
                bytes += wanted;
                return true;
            }
        }
        CachedCollection other = oldest(by);
        if (other == null) {
            return false;
        }
        other.clear();
        return take(by, wanted);
    }

    private synchronized @Nullable CachedCollection oldest(CachedCollection except) {
        for (CachedCollection collection : collections.values()) {
            if (collection != except && !collection.isEmpty()) {
                return collection;
            }
        }
        return null;
    }

    synchronized void give(long freed) {
        bytes -= freed;
    }

    /** Returns about how many bytes documents take. */
    synchronized long bytes() {
        return bytes;
    }
}
