package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.Expiry;
import io.millrace.documents.Origin;
import io.millrace.documents.TransactionId;
import org.jspecify.annotations.Nullable;

/**
 * What a mutation does besides its operations. Immutable; each {@code with} method returns a changed copy.
 *
 * @param flags the client's 32 bits, or null to keep them (0 for a new document)
 * @param transaction makes the write safe to repeat after a lost answer
 */
public record WriteOptions(
        Expiry expiry,
        @Nullable Integer flags,
        TransactionId transaction,
        @Nullable Origin origin) {

    /** No expiry: an earlier one is cleared, as in Couchbase. */
    public static WriteOptions defaults() {
        return new WriteOptions(Expiry.NEVER, null, TransactionId.random(), null);
    }

    public WriteOptions withExpiry(Expiry when) {
        return new WriteOptions(when, flags, transaction, origin);
    }

    public WriteOptions withFlags(int bits) {
        return new WriteOptions(expiry, bits, transaction, origin);
    }

    public WriteOptions withTransaction(TransactionId id) {
        return new WriteOptions(expiry, flags, id, origin);
    }

    public WriteOptions withOrigin(@Nullable Origin from) {
        return new WriteOptions(expiry, flags, transaction, from);
    }
}
