package io.millrace.n1ql.transaction;

import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import org.jspecify.annotations.Nullable;

/**
 * A document that a transaction has changed.
 *
 * @param before the document when the transaction first changed it, null for none
 * @param now the document as the transaction sees it, null if it is deleted
 * @param expiration the expiration to write, null to keep that of the document
 */
record Pending(
        @Nullable StoredDocument before,
        @Nullable StoredDocument now,
        @Nullable Long expiration) {

    /** Returns why a change cannot be made, or null. */
    Change.@Nullable Outcome refusal(Change change) {
        if (change.kind() == Change.Kind.INSERT && now != null) {
            return new Change.Exists();
        }
        boolean needsDocument = change.kind() == Change.Kind.REPLACE || change.kind() == Change.Kind.DELETE;
        if (needsDocument && now == null) {
            return new Change.NotFound();
        }
        boolean otherVersion = change.cas() != 0 && (now == null || now.cas() != change.cas());
        return otherVersion ? new Change.CasMismatch() : null;
    }

    /** @param cas the version that the document has within the transaction */
    Pending with(Change change, long cas) {
        byte[] body = change.body();
        if (body == null) {
            return new Pending(before, null, 0L); // one that takes its place does not inherit its expiration
        }
        Long given = change.expiration() == null ? expiration : change.expiration();
        long seen = given != null ? given : before == null ? 0 : before.expiration();
        return new Pending(before, new StoredDocument(change.key(), body, true, cas, seen, 0), given);
    }

    /** Returns the change to write for a key, or null if there is none. */
    @Nullable
    Change change(String key) {
        if (now == null) {
            return before == null ? null : new Change(Change.Kind.DELETE, key, null, before.cas(), null);
        }
        return before == null
                ? new Change(Change.Kind.INSERT, key, now.body(), 0, expiration)
                : new Change(Change.Kind.REPLACE, key, now.body(), before.cas(), expiration);
    }
}
