package io.millrace.documents;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Indexes of collections: entries in the order of their bytes, computed from documents by a function of the caller's.
 * A write does not update them. A reader first brings the index up to date with the changes since its last update, so that
 * the entries include all writes answered before the call. Thread-safe; no call blocks.
 *
 * <p>Futures fail with {@link DocumentsException}, with {@code INDEX_NOT_FOUND} when the index has not been opened or
 * has been dropped.
 */
public interface DocumentIndexes {

    /**
     * An index and how its entries come about.
     *
     * @param id names it among those of its collection, and is never used for another one
     * @param entries returns the entries of a living document, none for one that is not in the index; always the same for
     *     the same document, and no entry twice or for two documents
     */
    record Index(Keyspace keyspace, String id, Function<Document, List<byte[]>> entries) {}

    /**
     * A range of entries of an index in the order of their bytes.
     *
     * @param from the least entry that is in it
     * @param to the least entry behind it, or null for no end
     */
    record ByteRange(byte[] from, byte @Nullable [] to) {

        public boolean contains(byte[] entry) {
            return Arrays.compareUnsigned(from, entry) <= 0 && (to == null || Arrays.compareUnsigned(entry, to) < 0);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ByteRange range && Arrays.equals(from, range.from) && Arrays.equals(to, range.to);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
        }
    }

    /** Makes room for an index, which is empty at first. An index that is there stays as it is. */
    CompletableFuture<Void> open(Keyspace keyspace, String id);

    /** Brings an index up to date with all writes that were answered before the call. Building it is the same. */
    CompletableFuture<Void> update(Index index);

    /** Returns which part of the changes an index has in it, from 0 to 1. */
    CompletableFuture<Double> progress(Keyspace keyspace, String id);

    /**
     * Returns up to {@code max} entries of a range in ascending order, or in descending order from its end; fewer only
     * where it ends. All writes that were answered before the call are in them.
     */
    CompletableFuture<List<byte[]>> scan(Index index, ByteRange range, boolean descending, int max);

    /**
     * Returns how many entries some ranges have together. Costs O(log n) for a range, however many there are.
     *
     * @param current whether all writes that were answered before the call are in them; if not, the index is counted as
     *     it is
     */
    CompletableFuture<Long> count(Index index, List<ByteRange> ranges, boolean current);

    /**
     * Makes {@link DocumentStore#ids} complete for a collection with documents that a version wrote which did not keep
     * ids. Costs one look where nothing is missing.
     */
    CompletableFuture<Void> completeIds(Keyspace keyspace);

    /** Forgets an index and its entries; nothing happens when there is none. */
    CompletableFuture<Void> drop(Keyspace keyspace, String id);
}
