package io.millrace.workerprotocol;

import org.jspecify.annotations.Nullable;

/**
 * A change for a handler, or a timer that is due.
 *
 * @param key which document
 * @param version which state of it
 * @param content what it is in that state
 */
public record Event(Kind kind, Key key, Version version, Content content) {

    /** The scope of messages of topics, whose collection is the topic. */
    public static final String TOPIC_SCOPE = "_topic";

    /** The greatest vbucket. */
    static final int MAX_VBUCKET = 1023;

    /**
     * Which document.
     *
     * @param vbucket 0 to 1023
     */
    public record Key(String scope, String collection, String id, int vbucket) {}

    /**
     * Which state of a document.
     *
     * @param seqno its position in the feed
     * @param cas the version of the document
     * @param hops how many functions in a row led to this change, 0 for a client's write
     * @param trace the span that led to this change or created this timer, as text; "" if it is not traced
     */
    public record Version(long seqno, long cas, int hops, String trace) {

        /** Of a change that is not traced. */
        public Version(long seqno, long cas, int hops) {
            this(seqno, cas, hops, "");
        }
    }

    /**
     * What a document is.
     *
     * @param flags the client's 32 bits
     * @param expiration when the document expires in seconds since 1970, 0 for never
     * @param body the document; empty unless the kind is MUTATION, TIMER or APPENDED
     * @param userXattrs a JSON object, or null for none
     * @param old the document as the function knew it before, or null when that is unknown or was not asked for
     */
    public record Content(
            int flags,
            long expiration,
            boolean binary,
            byte[] body,
            byte @Nullable [] userXattrs,
            byte @Nullable [] old) {

        private static final byte[] NOTHING = {};

        /** Returns the content of something that has none. */
        public static Content none() {
            return new Content(0, 0, false, NOTHING, null, null);
        }
    }

    /** Returns whether this is a message of a topic. */
    public boolean ofTopic() {
        return kind == Kind.APPENDED && key.scope.equals(TOPIC_SCOPE);
    }

    public String scope() {
        return key.scope();
    }

    public String collection() {
        return key.collection();
    }

    public String id() {
        return key.id();
    }

    public int vbucket() {
        return key.vbucket();
    }

    public long seqno() {
        return version.seqno();
    }

    public long cas() {
        return version.cas();
    }

    public int hops() {
        return version.hops();
    }

    public String trace() {
        return version.trace();
    }

    public int flags() {
        return content.flags();
    }

    public long expiration() {
        return content.expiration();
    }

    public boolean binary() {
        return content.binary();
    }

    public byte[] body() {
        return content.body();
    }

    public byte @Nullable [] userXattrs() {
        return content.userXattrs();
    }

    public byte @Nullable [] old() {
        return content.old();
    }

    /** Returns a copy that knows the document as it was before. */
    public Event withOld(byte @Nullable [] before) {
        var known = new Content(
                content.flags(), content.expiration(), content.binary(), content.body(), content.userXattrs(), before);
        return new Event(kind, key, version, known);
    }

    /** Returns a copy that is traced. */
    public Event withTrace(String trace) {
        return new Event(kind, key, new Version(seqno(), cas(), hops(), trace), content);
    }

    /** Returns roughly how many bytes the event takes in a batch. */
    public int weightBytes() {
        return body().length + length(userXattrs()) + length(old()) + id().length() + 32;
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
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
        TIMER,
        /**
         * An event was appended to a stream: the id is the name of the stream, the body the data of the event, the user
         * attributes what is known about it, the cas its index in the stream, the seqno its place among the events of all
         * streams, which events that were appended together share. A message of a topic is one as well: the id is that of its
         * entry in Redis, whose two parts are the seqno and the cas; {@code binary} if it is not JSON.
         */
        APPENDED
    }
}
