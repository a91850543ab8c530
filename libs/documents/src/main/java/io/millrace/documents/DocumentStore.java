package io.millrace.documents;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;

/**
 * Documents in keyspaces. Thread-safe; no call blocks. Calls that one thread makes for one document are carried out in
 * the order in which they were made.
 *
 * <p>Every future may fail with {@link DocumentsException}; {@link DocumentsException#unavailable()} tells whether
 * repeating the same call later can help. Futures may be completed by a connection's thread: do not block there.
 */
public interface DocumentStore {

    /** Of a feed that leaves no vbucket out. */
    IntPredicate ALL_VBUCKETS = vbucket -> true;

    Catalog catalog();

    /**
     * Returns this store as the owner of a handle sees it: the buckets that the handle opens and no others. Without a handle,
     * all calls for buckets of the system fail with {@code SYSTEM_BUCKET}, and lists omit them.
     */
    DocumentStore with(SystemHandle handle);

    DocumentIndexes indexes();

    /** Returns the living document, or nothing when it is absent, deleted or due to expire. */
    CompletableFuture<Optional<Document>> get(DocumentKey key);

    /** Returns the document or its tombstone, or nothing when it never was. A document that is due is a tombstone. */
    CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key);

    /**
     * Like {@link #getWithTombstone}, for callers that want neither body nor user attributes: both may be left out, so that
     * reading costs the same for all documents, however large.
     */
    default CompletableFuture<Optional<Document>> getMetadata(DocumentKey key) {
        return getWithTombstone(key);
    }

    /** Carries out one write. */
    CompletableFuture<WriteResult> write(Write write);

    /**
     * Carries out all of these writes or none of them, at one moment for all readers. Each is of another document, and all
     * documents are in one shard. Not ordered with calls of this thread that have no answer yet.
     *
     * @param writes at least one and at most {@link Limits#MAX_ATOMIC_WRITES}, with {@link Limits#MAX_ATOMIC_BYTES} of content
     * @throws IllegalArgumentException if there are none, too many or too large ones, or two of one document
     */
    default CompletableFuture<AtomicResult> writeAtomically(List<Write> writes) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("This store writes each document by itself"));
    }

    /**
     * Locks a living document until a time, to the millisecond: until then, until {@link #unlock} or until the next write,
     * only a write that expects the lock's CAS changes it, and no other caller can lock it. Reads and expiry are not affected.
     */
    CompletableFuture<LockResult> lock(DocumentKey key, Instant until);

    /** Ends a lock before its time. */
    CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas);

    /** Opens a feed of the changes of one shard of a bucket after a seqno; 0 is the beginning. */
    default ChangeFeed changes(String bucket, int shard, long since) {
        return changes(bucket, shard, since, ALL_VBUCKETS);
    }

    /**
     * Opens a feed of the changes of some vbuckets of a shard. Documents of the others are not read, so that several
     * readers that divide a shard among them read each document once. Except with {@link #ALL_VBUCKETS}, the feed also tells
     * how far it is when it has nothing to return, see {@link ChangeFeed#next}.
     *
     * @param vbuckets which ones; gives the same answers as long as the feed is open, to any thread
     */
    ChangeFeed changes(String bucket, int shard, long since, IntPredicate vbuckets);

    /** Returns changes of one shard that there are now, without waiting for any. */
    CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request);

    /** Returns the changes of a bucket in one order, however many shards it has. */
    default BucketChanges inOrder(BucketInfo bucket) {
        return BucketChanges.ofSingleShard(this, bucket.name());
    }

    /** Returns the seqno of the newest mutation of a shard, or where its seqnos start when there is none yet. */
    CompletableFuture<Long> highSeqno(String bucket, int shard);

    /**
     * Returns the present by the clock of which the CAS of a document's next mutation would be made. It never goes back,
     * and belongs to the store: the clocks of processes may differ from it.
     */
    CompletableFuture<Instant> time(DocumentKey key);

    /** Returns where the history of a shard branched last, after detecting a branch that was not noticed yet. */
    default CompletableFuture<Branch> branch(String bucket, int shard) {
        return CompletableFuture.completedFuture(Branch.NONE);
    }

    /**
     * Returns whether a Redis that has just been restarted provably has every write that it had acknowledged: it is not a promoted
     * replica, and syncs its append-only file before it acknowledges, or writes it before it acknowledges and runs on this
     * machine, which has not failed as this process still runs. False when it does not say so; fails while it cannot be asked.
     */
    default CompletableFuture<Boolean> restartsLoseNothing() {
        return CompletableFuture.completedFuture(false);
    }

    /** Returns the backlog: how many changes a feed at position {@code since} has not read yet. */
    CompletableFuture<Long> backlog(String bucket, int shard, long since);

    /** Returns how many living documents a keyspace has; those that are due count until the pager has been there. */
    CompletableFuture<Long> count(Keyspace keyspace);

    /**
     * Returns up to {@code max} ids of living documents in ascending order of their bytes; fewer only at the end of the
     * range. One whose document is due may be among them until the pager has been there.
     */
    CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max);

    /** Like {@link #ids}, from the end of the range in descending order. */
    CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max);

    /** Returns how many ids {@link #ids} would list for a range. Costs O(log n), however many there are. */
    CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range);

    /**
     * Turns up to {@code max} documents of a bucket that are due into tombstones with the state EXPIRED, and returns
     * how many there were; a caller repeats it until there are none. Safe to run in several processes at once.
     */
    CompletableFuture<Integer> expireDue(String bucket, int max);

    /** How {@link DocumentStore#unlock} ended. */
    enum UnlockResult {
        UNLOCKED,
        /** The document is not locked, or not any more. */
        NOT_LOCKED,
        /** The document is locked with another CAS. */
        TAKEN,
        /** There is no living document. */
        NOT_FOUND
    }

    /** How {@link DocumentStore#lock} ended. */
    sealed interface LockResult {

        /**
         * The lock is the caller's.
         *
         * @param document as it now is and will stay, with the lock
         * @param cas of the lock
         */
        record Granted(Document document, long cas) implements LockResult {}

        /** Another caller holds the lock. */
        record Taken() implements LockResult {}

        /** There is no living document. */
        record NotFound() implements LockResult {}
    }

    /** How atomic writes ended. */
    sealed interface AtomicResult {

        /** All were done, now or when the same call was made before. */
        record Written() implements AtomicResult {}

        /**
         * None was done.
         *
         * @param key the first document that refused its write
         * @param reason why; never {@link WriteResult.Written}
         */
        record Refused(DocumentKey key, WriteResult reason) implements AtomicResult {}

        /**
         * None was done: two documents are in different shards or buckets.
         *
         * @param key the first document that is not in the shard of the first write
         */
        record Apart(DocumentKey key) implements AtomicResult {}
    }
}
