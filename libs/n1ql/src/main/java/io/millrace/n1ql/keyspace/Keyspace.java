package io.millrace.n1ql.keyspace;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A collection of documents by key. Thread-safe. Futures fail with {@link io.millrace.n1ql.QueryException}; any other
 * failure is reported as an internal error.
 */
public interface Keyspace {

    KeyspaceName name();

    /** Returns the documents with these keys, in the same order; null for a key without a document. */
    CompletableFuture<List<@Nullable StoredDocument>> fetch(List<String> keys);

    /** Carries out one change. */
    CompletableFuture<Change.Outcome> change(Change change);

    /** Returns how many documents there are. */
    CompletableFuture<Long> count();

    /** Returns up to {@code max} keys of a range in ascending order; fewer only at its end. */
    CompletableFuture<List<String>> keys(KeyRange range, int max);

    /** Returns the indexes, including the primary index if it exists. */
    List<IndexDefinition> indexes();

    /**
     * Creates an index. A primary index is usable at once, a secondary index after it has been built.
     *
     * @return false if an index with this name exists
     */
    CompletableFuture<Boolean> createIndex(IndexDefinition index);

    /** Builds an index and puts it online; continues an earlier build that was interrupted. */
    CompletableFuture<Void> buildIndex(SecondaryIndex index);

    /** Returns how much of an index has been built, in percent. */
    CompletableFuture<Integer> buildProgress(String index);

    /**
     * Returns up to {@code max} entries of a range in ascending order, or in descending order from its end; fewer only
     * at its end. Includes all changes before the call.
     */
    CompletableFuture<List<byte[]>> scan(SecondaryIndex index, EntryRange range, boolean descending, int max);

    /** Drops an index; returns false if it does not exist. */
    CompletableFuture<Boolean> dropIndex(String name);
}
