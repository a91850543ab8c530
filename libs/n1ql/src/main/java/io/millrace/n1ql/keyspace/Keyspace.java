package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.value.FieldPlaces;
import io.millrace.n1ql.value.StringValue;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A collection of documents by key. Thread-safe. Futures fail with {@link io.millrace.n1ql.QueryException}; any other
 * failure is reported as an internal error.
 */
public interface Keyspace {

    KeyspaceName name();

    /**
     * Returns the documents with these keys, in the same order; those of the first keys, or none, if there is no memory for more.
     * The caller closes them.
     */
    CompletableFuture<Fetched> fetch(List<String> keys);

    /** Reads documents like {@link #fetch}, for one statement. */
    @FunctionalInterface
    interface Reader {
        CompletableFuture<Fetched> fetch(List<String> keys);
    }

    /**
     * Returns what reads many documents. Each is as it is now or as it becomes later; a store may know those that have not changed
     * since another statement read them.
     */
    default CompletableFuture<Reader> reader() {
        return CompletableFuture.completedFuture(this::fetch);
    }

    /** Carries out one change. */
    CompletableFuture<Change.Outcome> change(Change change);

    /** Returns how many documents there are. */
    CompletableFuture<Long> count();

    /** Returns up to {@code max} keys of a range in ascending order; fewer only at its end. */
    CompletableFuture<List<String>> keys(KeyRange range, int max);

    /** Like {@link #keys}, from the end of the range in descending order. */
    CompletableFuture<List<String>> keysDescending(KeyRange range, int max);

    /** Returns how many keys a range has. Costs a store no more than reading a few keys, however many there are. */
    CompletableFuture<Long> count(KeyRange range);

    /** Returns the indexes, including the primary index if it exists; the oldest first. */
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

    /**
     * Returns how many entries some ranges have together. Costs a store no more than reading a few entries of each.
     *
     * @param current whether all changes before the call must be included; if not, the index is counted as it is
     */
    CompletableFuture<Long> count(SecondaryIndex index, List<EntryRange> ranges, boolean current);

    /** Drops an index; returns false if it does not exist. */
    CompletableFuture<Boolean> dropIndex(String name);

    /**
     * A range of entries of an index in the order of their bytes.
     *
     * @param from the lowest entry, inclusive
     * @param to the end, exclusive
     */
    record EntryRange(byte[] from, byte[] to) {

        public boolean contains(byte[] entry) {
            return Arrays.compareUnsigned(from, entry) <= 0 && Arrays.compareUnsigned(entry, to) < 0;
        }

        /** Returns the rest of the range after an entry, or before it when the scan is backward. */
        public EntryRange after(byte[] entry, boolean descending) {
            return descending
                    ? new EntryRange(from, entry)
                    : new EntryRange(Arrays.copyOf(entry, entry.length + 1), to);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof EntryRange range && Arrays.equals(from, range.from) && Arrays.equals(to, range.to);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
        }
    }

    /** A range of keys in the order of their bytes; a null end is open. */
    record KeyRange(
            @Nullable String from,
            boolean fromIncluded,
            @Nullable String to,
            boolean toIncluded) {

        public static final KeyRange ALL = new KeyRange(null, true, null, true);

        /** Returns the rest of the range after a key, or before it when the range is read backward. */
        public KeyRange after(String key, boolean descending) {
            return descending ? new KeyRange(from, fromIncluded, key, false) : new KeyRange(key, false, to, toIncluded);
        }

        public boolean contains(String key) {
            return startsBefore(key) && endsBehind(key);
        }

        private boolean startsBefore(String key) {
            if (from == null) {
                return true;
            }
            int order = StringValue.compare(from, key);
            return order < 0 || order == 0 && fromIncluded;
        }

        private boolean endsBehind(String key) {
            if (to == null) {
                return true;
            }
            int order = StringValue.compare(key, to);
            return order < 0 || order == 0 && toIncluded;
        }
    }

    /**
     * A snapshot of a stored document.
     *
     * @param body its bytes; read-only
     * @param json whether the bytes are known to be JSON
     * @param cas its version; not 0
     * @param expiration when it expires, in seconds since 1970, or 0 for never
     * @param flags the client's 32 bits
     * @param places where the fields are, if that is known
     */
    record StoredDocument(
            String key,
            byte[] body,
            boolean json,
            long cas,
            long expiration,
            int flags,
            @Nullable FieldPlaces places) {

        public StoredDocument(String key, byte[] body, boolean json, long cas, long expiration, int flags) {
            this(key, body, json, cas, expiration, flags, null);
        }

        /** Returns the document with the places of its fields. */
        public StoredDocument indexed() {
            return new StoredDocument(key, body, json, cas, expiration, flags, json ? FieldPlaces.of(body) : null);
        }
    }

    /**
     * An index and the entries that a store keeps for it. To a store, entries are opaque bytes in byte order.
     */
    record SecondaryIndex(IndexDefinition definition, Entries entries) {

        /** Computes the entries of a document. */
        public interface Entries {

            /**
             * Returns the entries, which are empty if the index does not have the document; documents never share an entry.
             */
            List<byte[]> of(StoredDocument document);
        }
    }

    /**
     * One change of one document.
     *
     * @param body the new body as JSON; null for a deletion
     * @param cas the version that the document must have; 0 for any
     * @param expiration seconds since 1970, 0 for never; null keeps that of the document
     */
    record Change(
            Kind kind,
            String key,
            byte @Nullable [] body,
            long cas,
            @Nullable Long expiration) {

        public enum Kind {
            /** Succeeds only if the document does not exist. */
            INSERT,
            /** Succeeds whether the document exists or not. */
            UPSERT,
            /** Succeeds only if the document exists. */
            REPLACE,
            DELETE
        }

        /** The outcome of a change. */
        public sealed interface Outcome {}

        /** @param cas the document's new version */
        public record Done(long cas) implements Outcome {}

        /** An INSERT found an existing document. */
        public record Exists() implements Outcome {}

        /** A REPLACE or DELETE found no document. */
        public record NotFound() implements Outcome {}

        /** The document has changed since it was read. */
        public record CasMismatch() implements Outcome {}

        /** The store rejected the document; repeating the change does not help. */
        public record Refused(String reason) implements Outcome {}
    }
}
