package io.millrace.documents;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One change of one document, to be handed to {@link DocumentStore#write}. Immutable; each {@code with} method returns
 * a changed copy.
 *
 * <p>Extended attributes that are not given stay as they are, also when the body is replaced. A removal drops user
 * attributes and keeps system attributes, and so does a document that takes the place of a tombstone, unless the write
 * says otherwise.
 *
 * @param expectedCas the version that the document or its tombstone must have, 0 for any, or
 *     {@link #NEVER_WRITTEN}; the CAS of a lock when the
 *     document has been locked, as long as it has not been written since
 * @param body the new body, or null to leave it as it is, with its datatype and flags
 * @param userXattrs the new user attributes as a JSON object, an empty array to drop them, or null to leave them
 * @param systemXattrs the new system attributes, likewise
 * @param stamps where the store writes the new version
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
        List<VersionStamp> stamps,
        TransactionId transaction,
        @Nullable Origin origin) {

    /** The CAS to expect where there must never have been a document: no tombstone either. */
    public static final long NEVER_WRITTEN = -1;

    /** Which states of the document a write accepts. */
    public enum Kind {
        /** Only where there is none; otherwise {@link WriteResult.AlreadyExists}. */
        INSERT,
        /** Any. */
        UPSERT,
        /** Only over a living document; otherwise {@link WriteResult.NotFound}. */
        REPLACE,
        /** Only a living document; leaves a tombstone. */
        REMOVE,
        /**
         * Only where there is no living document; otherwise {@link WriteResult.AlreadyExists}. Leaves a tombstone with
         * the attributes that are given, or makes one: body, flags and expiry mean nothing.
         */
        TOMBSTONE
    }

    public Write {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(expiry, "expiry");
        Objects.requireNonNull(transaction, "transaction");
        stamps = List.copyOf(stamps);
        if (expectedCas < NEVER_WRITTEN) {
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

    /** A tombstone with these attributes, null to leave those that are there. */
    public static Write tombstone(DocumentKey key, byte @Nullable [] user, byte @Nullable [] system) {
        return of(Kind.TOMBSTONE, key, null).withXattrs(user, system);
    }

    /** A replacement that changes the expiry alone. */
    public static Write touch(DocumentKey key, Expiry expiry) {
        return of(Kind.REPLACE, key, null).withExpiry(expiry);
    }

    private static Write of(Kind kind, DocumentKey key, byte @Nullable [] body) {
        return new Write(
                kind,
                key,
                0,
                body,
                Datatype.JSON,
                0,
                Expiry.NEVER,
                null,
                null,
                List.of(),
                TransactionId.random(),
                null);
    }

    public Write withCas(long cas) {
        return copy(cas, datatype, flags, expiry, userXattrs, systemXattrs, stamps, transaction, origin);
    }

    public Write withDatatype(Datatype type) {
        return copy(expectedCas, type, flags, expiry, userXattrs, systemXattrs, stamps, transaction, origin);
    }

    public Write withFlags(int bits) {
        return copy(expectedCas, datatype, bits, expiry, userXattrs, systemXattrs, stamps, transaction, origin);
    }

    public Write withExpiry(Expiry when) {
        return copy(expectedCas, datatype, flags, when, userXattrs, systemXattrs, stamps, transaction, origin);
    }

    public Write withXattrs(byte @Nullable [] user, byte @Nullable [] system) {
        return copy(expectedCas, datatype, flags, expiry, user, system, stamps, transaction, origin);
    }

    public Write withStamps(List<VersionStamp> places) {
        return copy(expectedCas, datatype, flags, expiry, userXattrs, systemXattrs, places, transaction, origin);
    }

    public Write withTransaction(TransactionId id) {
        return copy(expectedCas, datatype, flags, expiry, userXattrs, systemXattrs, stamps, id, origin);
    }

    public Write withOrigin(@Nullable Origin from) {
        return copy(expectedCas, datatype, flags, expiry, userXattrs, systemXattrs, stamps, transaction, from);
    }

    private Write copy(
            long cas,
            Datatype type,
            int bits,
            Expiry when,
            byte @Nullable [] user,
            byte @Nullable [] system,
            List<VersionStamp> places,
            TransactionId id,
            @Nullable Origin from) {
        return new Write(kind, key, cas, body, type, bits, when, user, system, places, id, from);
    }
}
