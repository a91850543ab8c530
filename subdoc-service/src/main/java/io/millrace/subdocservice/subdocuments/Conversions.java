package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.TransactionId;
import io.millrace.documents.VersionStamp;
import io.millrace.documents.Write;
import io.millrace.subdoc.Change;
import io.millrace.subdoc.Snapshot;
import io.millrace.subdoc.Stamp;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Between what the store holds and what the engine works on. */
final class Conversions {

    /** Greater than the CAS of every document, less than that of every lock. */
    private static final long NOBODYS_CAS = (1L << 62) - 1;

    private Conversions() {}

    static Snapshot snapshot(@Nullable Document document, long vbucketUuid, Instant now) {
        if (document == null) {
            return Snapshot.ABSENT;
        }
        Instant expiry = document.expiry();
        return new Snapshot(
                document.live() ? Snapshot.State.LIVE : Snapshot.State.TOMBSTONE,
                document.body(),
                document.live() && document.datatype() == Datatype.JSON,
                document.userXattrs(),
                document.systemXattrs(),
                new Snapshot.Meta(
                        document.cas(),
                        document.cas(),
                        vbucketUuid,
                        document.revision(),
                        document.modified().getEpochSecond(),
                        expiry == null ? 0 : expiry.getEpochSecond(),
                        document.flags(),
                        now.getEpochSecond()));
    }

    /**
     * Returns the write that stores a change provided that the document is as it was read.
     *
     * @param before the document or tombstone that was read, or null when there was none
     * @param expected its CAS or the CAS of its lock; 0 when there was none
     */
    static Write write(DocumentKey key, @Nullable Document before, Change change, WriteOptions options, long expected) {
        Write write = change.tombstone() ? ending(key, before) : living(key, before, change, options);
        return named(write, options.transaction())
                .withXattrs(userXattrs(before, change), change.systemXattrs())
                .withStamps(stamps(change.stamps()))
                .withCas(before == null ? Write.NEVER_WRITTEN : expected)
                .withOrigin(options.origin());
    }

    /** A tombstone that is revived brings its user attributes along, which it would not do by itself. */
    private static byte @Nullable [] userXattrs(@Nullable Document before, Change change) {
        if (change.userXattrs() != null || before == null || before.live() || change.tombstone()) {
            return change.userXattrs();
        }
        return before.userXattrs();
    }

    /** Returns a write that changes nothing, but is answered as a repetition if the transaction is known. */
    static Write question(DocumentKey key, TransactionId transaction) {
        return Write.touch(key, Expiry.PRESERVE).withCas(NOBODYS_CAS).withTransaction(transaction);
    }

    private static Write named(Write write, @Nullable TransactionId transaction) {
        return transaction == null ? write : write.withTransaction(transaction);
    }

    private static Write ending(DocumentKey key, @Nullable Document before) {
        return before != null && before.live() ? Write.remove(key) : Write.tombstone(key, null, null);
    }

    private static Write living(DocumentKey key, @Nullable Document before, Change change, WriteOptions options) {
        Write write;
        if (before != null && before.live()) {
            // flags are the body's: to change them alone, the body is written again
            byte[] body = change.body() != null ? change.body() : options.flags() != null ? before.body() : null;
            write = body == null ? Write.touch(key, options.expiry()) : Write.replace(key, body);
        } else {
            byte[] body = change.body() == null ? new byte[0] : change.body();
            write = before == null ? Write.insert(key, body) : Write.upsert(key, body);
        }
        Integer flags = options.flags();
        int kept = before == null || change.creates() ? 0 : before.flags();
        return write.withDatatype(change.json() ? Datatype.JSON : Datatype.BINARY)
                .withFlags(flags == null ? kept : flags)
                .withExpiry(options.expiry());
    }

    private static List<VersionStamp> stamps(List<Stamp> stamps) {
        return stamps.stream()
                .map(stamp -> new VersionStamp(
                        switch (stamp.part()) {
                            case BODY -> VersionStamp.Part.BODY;
                            case USER_XATTRS -> VersionStamp.Part.USER_XATTRS;
                            case SYSTEM_XATTRS -> VersionStamp.Part.SYSTEM_XATTRS;
                        },
                        stamp.offset(),
                        switch (stamp.form()) {
                            case CAS_SWAPPED -> VersionStamp.Form.CAS_SWAPPED;
                            case SEQNO -> VersionStamp.Form.SEQNO;
                        }))
                .toList();
    }
}
