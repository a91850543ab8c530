package io.millrace.handler;

/**
 * The metadata of a change that a handler gets in addition to the document.
 *
 * @param cas the version of the document, unsigned
 * @param vbucket 0 to 1023
 * @param seqno the change's position in the feed, unsigned
 * @param flags the client's 32 bits
 * @param expiration when the document expires in seconds since 1970, 0 for never
 */
public record EventMeta(
        String bucket,
        String scope,
        String collection,
        String id,
        long cas,
        int vbucket,
        long seqno,
        int flags,
        long expiration,
        boolean binary) {}
