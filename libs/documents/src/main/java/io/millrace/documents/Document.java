package io.millrace.documents;

import java.security.SecureRandom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A document, or the tombstone that it left, as stored at one moment. Byte arrays are not copied: treat them as
 * read-only.
 *
 * @param cas the version: unique in the shard and greater than that of every earlier mutation there. It is the time of the
 *     mutation in nanoseconds since 1970, in units of 65,536; the low 16 bits are a counter. A mutation by a version of
 *     the program that used one number for both has its seqno as its CAS
 * @param seqno the position of the mutation in the order of its shard. Fits in 53 bits
 * @param state whether it lives, or how it ended
 * @param body the bytes that were written, never re-spelt; empty for a tombstone
 * @param flags the client's 32 bits (Couchbase item flags), kept and given back as they are
 * @param expiry when it expires, to the second, or null for never
 * @param userXattrs a JSON object of extended attributes, or null for none
 * @param systemXattrs a JSON object of extended attributes whose names start with an underscore; outlives deletion
 * @param origin the function instance whose write this is and its trace, or null when a client wrote it that is not traced
 * @param revision how many mutations have led to it since there was first a document under this key; 0 when unknown
 * @param modified when the last of them was, to the second, by the clock of the process that wrote it
 * @param lock the lock that was put on it last and may have ended, or null when there has been none since it was written
 */
public record Document(
        DocumentKey key,
        long cas,
        long seqno,
        State state,
        byte[] body,
        Datatype datatype,
        int flags,
        @Nullable Instant expiry,
        byte @Nullable [] userXattrs,
        byte @Nullable [] systemXattrs,
        @Nullable Origin origin,
        long revision,
        Instant modified,
        @Nullable Lock lock) {

    /** Whether a document lives, or how it ended. */
    public enum State {
        LIVE,
        DELETED,
        EXPIRED
    }

    /**
     * What keeps everybody without its CAS from writing a document for a while. It changes neither the document's CAS nor
     * the feed; the next write ends it.
     *
     * @param cas what a write has to expect in place of the document's CAS; greater than any of those
     */
    public record Lock(long cas, Instant until) {

        private static final long LEAST_CAS = 1L << 62;
        private static final SecureRandom RANDOM = new SecureRandom();

        /** Returns a random version that cannot be guessed and was never used. */
        public static long newCas() {
            return LEAST_CAS | (RANDOM.nextLong() >>> 2);
        }
    }

    /** A document whose time of writing is unknown, with one number as CAS and seqno. */
    public Document(
            DocumentKey key,
            long cas,
            State state,
            byte[] body,
            Datatype datatype,
            int flags,
            @Nullable Instant expiry,
            byte @Nullable [] userXattrs,
            byte @Nullable [] systemXattrs,
            @Nullable Origin origin) {
        this(
                key,
                cas,
                cas,
                state,
                body,
                datatype,
                flags,
                expiry,
                userXattrs,
                systemXattrs,
                origin,
                0,
                Instant.EPOCH,
                null);
    }

    /** Returns true when a living document cannot be written without the CAS of its lock. */
    public boolean locked(Instant now) {
        return live() && lock != null && lock.until.isAfter(now);
    }

    /** Returns true when a living document's time has come, whether or not the pager has been there. */
    public boolean due(Instant now) {
        return live() && expiry != null && !expiry.isAfter(now);
    }

    public Document withLock(@Nullable Lock other) {
        return new Document(
                key,
                cas,
                seqno,
                state,
                body,
                datatype,
                flags,
                expiry,
                userXattrs,
                systemXattrs,
                origin,
                revision,
                modified,
                other);
    }

    /** Returns the tombstone of a document that is due: it counts as one although it is not written yet. */
    public Document expired() {
        return expired(cas, seqno, revision, modified);
    }

    /** Returns the tombstone of this document: without body, expiry, user attributes and origin. */
    public Document expired(long newCas, long newSeqno, long newRevision, Instant when) {
        return new Document(
                key,
                newCas,
                newSeqno,
                State.EXPIRED,
                new byte[0],
                Datatype.JSON,
                0,
                null,
                null,
                systemXattrs,
                null,
                newRevision,
                when,
                null);
    }

    /** Returns true unless this is a tombstone. */
    public boolean live() {
        return state == State.LIVE;
    }
}
