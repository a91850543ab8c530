package io.millrace.documents;

/** How {@link DocumentStore#lock} ended. */
public sealed interface LockResult {

    /**
     * The lock is the caller's.
     *
     * @param document as it now is and will stay, with the lock
     * @param cas of the lock
     */
    record Granted(Document document, long cas) implements LockResult {}

    /** Another caller holds the lock. */
    record Taken() implements LockResult {}

    /** There is no living document. */
    record NotFound() implements LockResult {}
}
