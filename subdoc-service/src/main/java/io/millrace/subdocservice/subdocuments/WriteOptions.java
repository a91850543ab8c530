package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.Expiry;
import io.millrace.documents.Origin;
import io.millrace.documents.TransactionId;
import org.jspecify.annotations.Nullable;

/**
 * What a mutation changes in addition to its operations. Immutable; each {@code with} method returns a changed copy.
 *
 * @param flags the client's 32 bits, or null to keep them (0 for a new document)
 * @param transaction makes it safe to repeat the request after its response was lost: a repetition changes nothing. Costs
 *     one more call of the store; null if the request is never repeated
 */
public record WriteOptions(
        Expiry expiry,
        @Nullable Integer flags,
        @Nullable TransactionId transaction,
        @Nullable Origin origin) {

    /** Returns options that remove an expiry set before, as Couchbase does. */
    public static WriteOptions defaults() {
        return new WriteOptions(Expiry.NEVER, null, null, null);
    }

    public WriteOptions withExpiry(Expiry when) {
        return new WriteOptions(when, flags, transaction, origin);
    }

    public WriteOptions withFlags(@Nullable Integer bits) {
        return new WriteOptions(expiry, bits, transaction, origin);
    }

    public WriteOptions withTransaction(@Nullable TransactionId id) {
        return new WriteOptions(expiry, flags, id, origin);
    }

    public WriteOptions withOrigin(@Nullable Origin from) {
        return new WriteOptions(expiry, flags, transaction, from);
    }
}
