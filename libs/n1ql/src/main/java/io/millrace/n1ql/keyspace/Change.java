package io.millrace.n1ql.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * One change of one document.
 *
 * @param body the new body as JSON; null when it is deleted
 * @param cas the version that the document must have; 0 for any
 * @param expiration seconds since 1970, 0 for never; null keeps what the document has
 */
public record Change(
        Kind kind,
        String key,
        byte @Nullable [] body,
        long cas,
        @Nullable Long expiration) {

    public enum Kind {
        /** Only when there is no such document. */
        INSERT,
        /** Whether or not there is one. */
        UPSERT,
        /** Only when there is one. */
        REPLACE,
        DELETE
    }

    /** How it ended. */
    public sealed interface Outcome {}

    /** @param cas the document's new version */
    public record Done(long cas) implements Outcome {}

    /** An INSERT found a document. */
    public record Exists() implements Outcome {}

    /** A REPLACE or DELETE found none. */
    public record NotFound() implements Outcome {}

    /** The document has changed since it was read. */
    public record CasMismatch() implements Outcome {}

    /** The store refused the document, for a reason that repeating it will not change. */
    public record Refused(String reason) implements Outcome {}
}
