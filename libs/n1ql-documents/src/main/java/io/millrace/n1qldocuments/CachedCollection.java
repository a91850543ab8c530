package io.millrace.n1qldocuments;

import io.millrace.documents.Branch;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.VBuckets;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.value.FieldPlaces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Documents of one collection, in step with the changes of its shards: each view first removes what has changed since the view
 * before. A document is kept only if no view was made while it was read, because that view has looked for its changes already.
 */
final class CachedCollection {

    /** What a document takes besides its bytes. */
    private static final long DOCUMENT_BYTES = 400;

    /** Larger documents are read each time. */
    private static final int LARGEST = Limits.UNASKED_READ_BYTES;

    /** Before every seqno. */
    private static final long NOWHERE = -1;

    private final DocumentCache cache;
    private final Keyspace keyspace;
    private final Shard[] shards;

    /**
     * A document with the places of its fields, because statements search it again and again.
     *
     * @param stored the answer to a read of it
     */
    private record Kept(Document document, StoredDocument stored, long bytes) {

        static Kept of(Document document, StoredDocument stored) {
            FieldPlaces places = stored.places();
            long bytes = DOCUMENT_BYTES
                    + document.body().length
                    + 2L * document.key().id().length()
                    + (places == null ? 0 : places.heldBytes());
            return new Kept(document, stored, bytes);
        }
    }

    /** Documents of one shard. Only this object changes them; what is kept can be read without its lock. */
    private final class Shard {

        private final Map<String, Kept> documents = new ConcurrentHashMap<>();
        /** The seqno up to which changes have been looked for. */
        private volatile long position = NOWHERE;

        private @Nullable Branch branch;

        synchronized void clear() {
            long freed = 0;
            for (Kept kept : documents.values()) {
                freed += kept.bytes();
            }
            documents.clear();
            cache.give(freed);
            position = NOWHERE; // what is being read now is not kept
            branch = null;
        }

        /** Returns the position. Forgets everything when the history of the shard is not the one that was read. */
        synchronized long begin(Branch now, long newest) {
            if (!now.equals(branch) || newest < position) {
                clear();
                branch = now;
                position = newest;
            }
            return position;
        }

        synchronized long forget(long from, long newest, ChangePage changes) {
            if (position < from) {
                return NOWHERE; // all has been forgotten meanwhile: nothing of this view is kept
            }
            if (changes.more()) {
                Branch same = branch;
                clear(); // so much has changed that reading is cheaper
                branch = same;
                position = newest;
                return newest;
            }
            for (Mutation change : changes.mutations()) {
                DocumentKey key = change.document().key();
                Kept kept = key.keyspace().equals(keyspace) ? documents.remove(key.id()) : null;
                if (kept != null) {
                    cache.give(kept.bytes());
                }
            }
            position = Math.max(position, Math.max(newest, changes.position()));
            return position;
        }

        /** Returns the document for a statement. Room is made without the lock, because that empties other collections. */
        StoredDocument keep(Document document, long read) {
            StoredDocument stored = DocumentKeyspace.stored(document);
            if (read == NOWHERE || position != read || document.body().length > LARGEST) {
                return stored;
            }
            StoredDocument indexed = stored.indexed();
            Kept kept = Kept.of(document, indexed);
            if (cache.take(CachedCollection.this, kept.bytes()) && !put(kept, read)) {
                cache.give(kept.bytes());
            }
            return indexed;
        }

        private synchronized boolean put(Kept kept, long read) {
            return position == read
                    && documents.putIfAbsent(kept.document().key().id(), kept) == null;
        }
    }

    CachedCollection(DocumentCache cache, Keyspace keyspace, int shards) {
        this.cache = cache;
        this.keyspace = keyspace;
        this.shards = new Shard[shards];
        for (int i = 0; i < shards; i++) {
            this.shards[i] = new Shard();
        }
    }

    boolean isEmpty() {
        return Arrays.stream(shards).allMatch(shard -> shard.documents.isEmpty());
    }

    /** Forgets all documents. */
    void clear() {
        for (Shard shard : shards) {
            shard.clear();
        }
    }

    /** Brings the documents in step with the changes that there are now. */
    CompletableFuture<View> view(DocumentStore store, InstantSource clock) {
        List<CompletableFuture<Long>> positions = new ArrayList<>();
        for (int i = 0; i < shards.length; i++) {
            positions.add(inStep(store, i));
        }
        return CompletableFuture.allOf(positions.toArray(CompletableFuture[]::new))
                .thenApply(done -> new View(
                        store,
                        clock.instant(),
                        positions.stream().mapToLong(CompletableFuture::join).toArray()));
    }

    /** Returns the seqno up to which changes of a shard have been removed. */
    private CompletableFuture<Long> inStep(DocumentStore store, int number) {
        return store.branch(keyspace.bucket(), number)
                .thenCombine(store.highSeqno(keyspace.bucket(), number), (branch, newest) -> {
                    Shard shard = shards[number];
                    long position = shard.begin(branch, newest);
                    return position == newest
                            ? CompletableFuture.completedFuture(newest)
                            : store.page(keyspace.bucket(), number, changesAfter(position))
                                    .thenApply(changes -> shard.forget(position, newest, changes));
                })
                .thenCompose(position -> position);
    }

    private static ChangePage.Request changesAfter(long position) {
        return new ChangePage.Request(Math.max(0, position), false, Limits.MAX_PAGE_MUTATIONS, false);
    }

    /** The documents as they were when the view was made, or later. */
    final class View {

        private final DocumentStore store;
        private final Instant now;
        private final long[] positions;

        private View(DocumentStore store, Instant now, long[] positions) {
            this.store = store;
            this.now = now;
            this.positions = positions;
        }

        /** Adds the read of a document; one that is kept is known at once. */
        void read(String id, CountedReads reads) {
            int number = shards.length == 1 ? 0 : VBuckets.shardOf(VBuckets.of(id), shards.length);
            Shard shard = shards[number];
            Kept known = shard.documents.get(id);
            if (known != null) {
                reads.add(known.document().due(now) ? null : known.stored());
                return;
            }
            reads.add(store.get(new DocumentKey(keyspace, id))
                    .thenApply(found -> found.map(document -> shard.keep(document, positions[number]))));
        }
    }
}
