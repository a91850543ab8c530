package io.millrace.documents;

/** How a write ended. Everything here is expected; what is not, is a {@link DocumentsException}. */
public sealed interface WriteResult {

    /**
     * The write was done.
     *
     * @param cas the document's new version
     * @param seqno the position of the mutation in the feed; of a repetition that of the newest mutation of the document
     * @param created true when there was no living document before, so that this write created it
     * @param repeated true when this is the answer to a repetition: the write had been done before, once
     */
    record Written(long cas, long seqno, boolean created, boolean repeated) implements WriteResult {}

    /** The document or its tombstone has another version (0: it never was) than the expected; nothing was changed. */
    record CasMismatch(long current) implements WriteResult {}

    /**
     * The document is locked and the expected version is not that of the lock; nothing was changed.
     *
     * @param current the document's version, which is not the lock's
     */
    record Locked(long current) implements WriteResult {}

    /** An insert met a living document; nothing was changed. */
    record AlreadyExists(long current) implements WriteResult {}

    /** There is no living document to replace, remove or touch; nothing was changed. */
    record NotFound() implements WriteResult {}
}
