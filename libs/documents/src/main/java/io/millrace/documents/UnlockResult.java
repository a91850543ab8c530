package io.millrace.documents;

/** How {@link DocumentStore#unlock} ended. */
public enum UnlockResult {
    UNLOCKED,
    /** The document is not locked, or not any more. */
    NOT_LOCKED,
    /** The document is locked with another CAS. */
    TAKEN,
    /** There is no living document. */
    NOT_FOUND
}
