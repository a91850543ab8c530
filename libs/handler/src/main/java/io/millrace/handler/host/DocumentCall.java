package io.millrace.handler.host;

import io.millrace.handler.HandlerSpec;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of an advanced accessor, such as {@code couchbase.get}, with checked arguments.
 *
 * @param alias one of {@link HandlerSpec#aliases()}; writable unless the operation only reads
 * @param scope where the document is when the alias stands for several scopes, else null
 * @param collection where the document is when the alias stands for several collections, else null
 * @param document what is written by INSERT, UPSERT and REPLACE, else null
 * @param cas the version that the document must have, unsigned; 0 for any
 * @param expiration when the document expires, in seconds since 1970; null when the code says nothing about it
 * @param selfRecursion whether the function wants to see this write itself
 * @param cached whether GET may be answered from the cache of the worker
 * @param paths what LOOKUP_IN and MUTATE_IN do, in this order; empty for others
 */
public record DocumentCall(
        Operation operation,
        String alias,
        @Nullable String scope,
        @Nullable String collection,
        String id,
        @Nullable StoredDocument document,
        long cas,
        @Nullable Long expiration,
        boolean selfRecursion,
        boolean cached,
        List<PathCall> paths) {

    /** What is done with the document. */
    public enum Operation {
        GET,
        INSERT,
        UPSERT,
        REPLACE,
        DELETE,
        /** Sets the expiry, or clears it when there is none. */
        TOUCH,
        /** Adds 1 to the member {@code count}; a document that is missing becomes {@code {"count":1}}. */
        INCREMENT,
        /** Subtracts 1 likewise. */
        DECREMENT,
        LOOKUP_IN,
        MUTATE_IN;

        /** Returns whether the document may change. */
        public boolean writes() {
            return this != GET && this != LOOKUP_IN;
        }

        /** Returns the name of the accessor. */
        public String word() {
            return switch (this) {
                case LOOKUP_IN -> "lookupIn";
                case MUTATE_IN -> "mutateIn";
                default -> name().toLowerCase(Locale.ROOT);
            };
        }
    }

    public DocumentCall {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(alias, "alias");
        Objects.requireNonNull(id, "id");
        paths = List.copyOf(paths);
    }

    /**
     * One place inside a document or its extended attributes.
     *
     * @param value JSON text, empty when the operation takes none
     * @param createPath whether missing objects on the path are created
     * @param xattr whether the path leads into the extended attributes
     */
    public record PathCall(PathOperation operation, String path, byte[] value, boolean createPath, boolean xattr) {}

    /** What is done at a path. */
    public enum PathOperation {
        GET,
        INSERT,
        UPSERT,
        REPLACE,
        REMOVE,
        ARRAY_APPEND,
        ARRAY_PREPEND,
        ARRAY_INSERT,
        ARRAY_ADD_UNIQUE
    }

    /** The result of a {@link DocumentCall}. Results that code cannot expect are a {@link HostFailure} instead. */
    public sealed interface DocumentAnswer {

        /**
         * The document of a GET.
         *
         * @param cas its version, unsigned
         * @param expiration when it expires, in seconds since 1970; 0 for never
         */
        record Found(StoredDocument document, long cas, long expiration) implements DocumentAnswer {}

        /**
         * A write was done.
         *
         * @param cas the new version, unsigned
         */
        record Written(long cas) implements DocumentAnswer {}

        /** @param count the member {@code count} after INCREMENT or DECREMENT */
        record Counted(long count, long cas) implements DocumentAnswer {}

        /**
         * What LOOKUP_IN found.
         *
         * @param values one per path: JSON text, or null where there is nothing
         */
        record Looked(List<byte @Nullable []> values, long cas) implements DocumentAnswer {}

        /** Nothing was done. */
        record Refused(Reason reason) implements DocumentAnswer {}

        /** Why nothing was done. */
        enum Reason {
            KEY_NOT_FOUND,
            KEY_ALREADY_EXISTS,
            CAS_MISMATCH,
            NOT_NUMBER,
            FIELD_NOT_FOUND,
            FIELD_ALREADY_EXISTS
        }
    }
}
