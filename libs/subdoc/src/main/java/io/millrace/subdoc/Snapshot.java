package io.millrace.subdoc;

import org.jspecify.annotations.Nullable;

/**
 * A document as a store holds it at one moment. Byte arrays are not copied: treat them as read-only.
 *
 * @param body empty for a tombstone
 * @param json whether the body is known to be JSON
 * @param userXattrs a JSON object, or null for none
 * @param systemXattrs a JSON object with names that begin with an underscore, or null for none
 */
public record Snapshot(
        State state,
        byte[] body,
        boolean json,
        byte @Nullable [] userXattrs,
        byte @Nullable [] systemXattrs,
        Meta meta) {

    /** Nothing was ever stored, or its tombstone has been removed. */
    public static final Snapshot ABSENT =
            new Snapshot(State.ABSENT, new byte[0], false, null, null, new Meta(0, 0, 0, 0, 0, 0, 0, 0));

    /** Whether there is a document. */
    public enum State {
        ABSENT,
        LIVE,
        TOMBSTONE
    }

    /**
     * What the virtual attributes show.
     *
     * @param revision how often the document was changed
     * @param modifiedSeconds when it was changed last, in seconds since 1970, 0 when that is not known
     * @param expirySeconds when it expires, in seconds since 1970, 0 for never
     * @param flags the client's 32 bits
     * @param nowSeconds the present, in seconds since 1970
     */
    public record Meta(
            long cas,
            long seqno,
            long vbucketUuid,
            long revision,
            long modifiedSeconds,
            long expirySeconds,
            int flags,
            long nowSeconds) {}
}
