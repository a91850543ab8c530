package io.millrace.n1ql.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * One change of one document.
 *
 * @param body the new body as JSON; null for a deletion
 * @param cas the version that the document must have; 0 for any
 * @param expiration seconds since 1970, 0 for never; null keeps that of the document
 */
public record Change(
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
