package io.millrace.subdoc;

/** What a client may say about the document of a request, as bits of one byte. */
public final class DocFlag {

    /** Create the document when there is none. */
    public static final int MKDOC = 0x01;

    /** Create the document; there must be none. */
    public static final int ADD = 0x02;

    /** A tombstone may be read and written. */
    public static final int ACCESS_DELETED = 0x04;

    /** A document that is created is a tombstone from the beginning. */
    public static final int CREATE_AS_DELETED = 0x08;

    /** A tombstone becomes a living document. */
    public static final int REVIVE_DOCUMENT = 0x10;

    /** A look-up may be answered by a replica. */
    public static final int REPLICA_READ = 0x20;

    private DocFlag() {}
}
