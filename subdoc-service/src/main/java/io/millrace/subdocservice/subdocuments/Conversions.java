package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.TransactionId;
import io.millrace.documents.VersionStamp;
import io.millrace.documents.Write;
import io.millrace.subdoc.Change;
import io.millrace.subdoc.Change.Stamp;
import io.millrace.subdoc.Snapshot;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.WriteOptions;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts between stored documents and the snapshots and changes of the sub-document engine. */
final class Conversions {

    /** Greater than the CAS of every document, less than that of every lock, so it matches none. */
    private static final long UNUSED_CAS = (1L << 62) - 1;

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
                        document.seqno(),
                        vbucketUuid,
                        document.revision(),
                        document.modified().getEpochSecond(),
                        expiry == null ? 0 : expiry.getEpochSecond(),
                        document.flags(),
                        now.getEpochSecond()));
    }

    /**
     * Returns the write that stores a change if the document is still as it was read.
     *
     * @param before the document or tombstone that was read, or null if there was none
     * @param expected its CAS or the CAS of its lock; 0 if there was none
     */
    static Write write(DocumentKey key, @Nullable Document before, Change change, WriteOptions options, long expected) {
        Write write = change.tombstone() ? ending(key, before) : living(key, before, change, options);
        return named(write, options.transaction())
                .withXattrs(userXattrs(before, change), change.systemXattrs())
                .withStamps(stamps(change.stamps()))
                .withCas(before == null ? Write.NEVER_WRITTEN : expected)
                .withOrigin(options.origin());
    }

    /** A revived tombstone keeps its user attributes; the store alone would drop them. */
    private static byte @Nullable [] userXattrs(@Nullable Document before, Change change) {
        if (change.userXattrs() != null || before == null || before.live() || change.tombstone()) {
            return change.userXattrs();
        }
        return before.userXattrs();
    }

    /** Returns a write that changes nothing; its result tells whether the transaction is known. */
    static Write question(DocumentKey key, TransactionId transaction) {
        return Write.touch(key, Expiry.PRESERVE).withCas(UNUSED_CAS).withTransaction(transaction);
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
            // flags are stored with the body: to change only the flags, the body is written again
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
