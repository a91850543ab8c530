package io.millrace.documents;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One change of one document, to be handed to {@link DocumentStore#write}. Immutable; each {@code with} method returns
 * a changed copy.
 *
 * <p>Extended attributes that are not given stay as they are, also when the body is replaced. A removal drops user
 * attributes and keeps system attributes, unless the write says otherwise.
 *
 * @param expectedCas the version that the document or its tombstone must have, or 0 for any; the CAS of a lock when the
 *     document has been locked, as long as it has not been written since
 * @param body the new body, or null to leave it as it is, with its datatype and flags
 * @param userXattrs the new user attributes as a JSON object, an empty array to drop them, or null to leave them
 * @param systemXattrs the new system attributes, likewise
 * @param transaction makes the write safe to repeat after a lost answer; a repeated id is answered with the first
 *     result as long as the document remembers it ({@link Limits#REMEMBERED_TRANSACTIONS})
 */
public record Write(
        Kind kind,
        DocumentKey key,
        long expectedCas,
        byte @Nullable [] body,
        Datatype datatype,
        int flags,
        Expiry expiry,
        byte @Nullable [] userXattrs,
        byte @Nullable [] systemXattrs,
        TransactionId transaction,
        @Nullable Origin origin) {

    /** Which states of the document a write accepts. */
    public enum Kind {
        /** Only where there is none; otherwise {@link WriteResult.AlreadyExists}. */
        INSERT,
        /** Any. */
        UPSERT,
        /** Only over a living document; otherwise {@link WriteResult.NotFound}. */
        REPLACE,
        /** Only a living document; leaves a tombstone. */
        REMOVE
    }

    public Write {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(expiry, "expiry");
        Objects.requireNonNull(transaction, "transaction");
        if (expectedCas < 0) {
            throw new IllegalArgumentException("A CAS is never negative: " + expectedCas);
        }
    }

    public static Write insert(DocumentKey key, byte[] body) {
        return of(Kind.INSERT, key, body);
    }

    public static Write upsert(DocumentKey key, byte[] body) {
        return of(Kind.UPSERT, key, body);
    }

    public static Write replace(DocumentKey key, byte[] body) {
        return of(Kind.REPLACE, key, body);
    }

    public static Write remove(DocumentKey key) {
        return of(Kind.REMOVE, key, null);
    }

    /** A replacement that changes the expiry alone. */
    public static Write touch(DocumentKey key, Expiry expiry) {
        return of(Kind.REPLACE, key, null).withExpiry(expiry);
    }

    private static Write of(Kind kind, DocumentKey key, byte @Nullable [] body) {
        return new Write(kind, key, 0, body, Datatype.JSON, 0, Expiry.NEVER, null, null, TransactionId.random(), null);
    }

    public Write withCas(long cas) {
        return new Write(kind, key, cas, body, datatype, flags, expiry, userXattrs, systemXattrs, transaction, origin);
    }

    public Write withDatatype(Datatype type) {
        return new Write(
                kind, key, expectedCas, body, type, flags, expiry, userXattrs, systemXattrs, transaction, origin);
    }

    public Write withFlags(int bits) {
        return new Write(
                kind, key, expectedCas, body, datatype, bits, expiry, userXattrs, systemXattrs, transaction, origin);
    }

    public Write withExpiry(Expiry when) {
        return new Write(
                kind, key, expectedCas, body, datatype, flags, when, userXattrs, systemXattrs, transaction, origin);
    }

    public Write withXattrs(byte @Nullable [] user, byte @Nullable [] system) {
        return new Write(kind, key, expectedCas, body, datatype, flags, expiry, user, system, transaction, origin);
    }

    public Write withTransaction(TransactionId id) {
        return new Write(kind, key, expectedCas, body, datatype, flags, expiry, userXattrs, systemXattrs, id, origin);
    }

    public Write withOrigin(@Nullable Origin from) {
        return new Write(
                kind, key, expectedCas, body, datatype, flags, expiry, userXattrs, systemXattrs, transaction, from);
    }
}
