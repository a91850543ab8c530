package io.millrace.workerprotocol;

import org.jspecify.annotations.Nullable;

/**
 * A change for a handler, or a timer that is due.
 *
 * @param seqno its place in the feed
 * @param cas the version of the document
 * @param vbucket 0 to 1023
 * @param flags the client's 32 bits
 * @param expiration when the document expires in seconds since 1970, 0 for never
 * @param hops how many functions in a row led to this change, 0 for a client's write
 * @param body the document; empty unless the kind is MUTATION or TIMER
 * @param userXattrs a JSON object, or null for none
 * @param old the document as the function knew it before, or null when that is unknown or not asked for
 */
public record Event(
        Kind kind,
        String scope,
        String collection,
        String id,
        long seqno,
        long cas,
        int vbucket,
        int flags,
        long expiration,
        boolean binary,
        int hops,
        byte[] body,
        byte @Nullable [] userXattrs,
        byte @Nullable [] old) {

    /** A change before which nothing is known. */
    public Event(
            Kind kind,
            String scope,
            String collection,
            String id,
            long seqno,
            long cas,
            int vbucket,
            int flags,
            long expiration,
            boolean binary,
            int hops,
            byte[] body,
            byte @Nullable [] userXattrs) {
        this(kind, scope, collection, id, seqno, cas, vbucket, flags, expiration, binary, hops, body, userXattrs, null);
    }

    /** Returns a copy that knows what was before. */
    public Event withOld(byte @Nullable [] before) {
        return new Event(
                kind,
                scope,
                collection,
                id,
                seqno,
                cas,
                vbucket,
                flags,
                expiration,
                binary,
                hops,
                body,
                userXattrs,
                before);
    }

    /** The greatest vbucket. */
    static final int MAX_VBUCKET = 1023;

    /** Returns roughly how many bytes the event takes in a batch. */
    public int weightBytes() {
        return body.length
                + (userXattrs == null ? 0 : userXattrs.length)
                + (old == null ? 0 : old.length)
                + id.length()
                + 32;
    }

    /** What happened. */
    public enum Kind {
        MUTATION,
        DELETION,
        EXPIRATION,
        /**
         * No change: a timer is due. The scope is the name of its callback, the id its reference, the body its context,
         * {@code binary} when that is undefined, the collection its opaque word, the seqno its version, the cas the
         * millisecond for which it was created.
         */
        TIMER
    }
}
