package io.millrace.n1ql.keyspace;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Documents under keys. Thread-safe. Futures fail with {@link io.millrace.n1ql.QueryException}; whatever else they fail
 * with is reported as an internal error.
 */
public interface Keyspace {

    KeyspaceName name();

    /** Returns the documents under some keys, in their order; null where there is none. */
    CompletableFuture<List<@Nullable StoredDocument>> fetch(List<String> keys);

    /** Carries out one change. */
    CompletableFuture<Change.Outcome> change(Change change);

    /** Returns how many documents there are. */
    CompletableFuture<Long> count();

    /** Returns up to {@code max} keys of a range in ascending order; fewer only at its end. */
    CompletableFuture<List<String>> keys(KeyRange range, int max);

    /** Returns the indexes, the primary index among them when there is one. */
    List<IndexDefinition> indexes();

    /**
     * Notes an index. A primary index can be used at once, another one after it has been built.
     *
     * @return false when there is an index of this name
     */
    CompletableFuture<Boolean> createIndex(IndexDefinition index);

    /** Fills an index that has been created, and puts it online; goes on where an earlier attempt was cut short. */
    CompletableFuture<Void> buildIndex(SecondaryIndex index);

    /** Returns how much of an index has been built, in percent. */
    CompletableFuture<Integer> buildProgress(String index);

    /**
     * Returns up to {@code max} entries of a range in ascending order, or in descending order from its end; fewer only
     * where it ends. What was changed before the call is in them.
     */
    CompletableFuture<List<byte[]>> scan(SecondaryIndex index, EntryRange range, boolean descending, int max);

    /** Drops an index; false when there is none of this name. */
    CompletableFuture<Boolean> dropIndex(String name);
}
