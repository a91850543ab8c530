package io.millrace.worker.bindings;

import io.millrace.documents.DocumentStore;

/** Where the workers of a process find documents, timers and topics. */
public interface WorkerStore extends AutoCloseable {

    /** Returns the document store; does not wait until there is one. */
    DocumentStore documents();

    /** Returns a queue of its own to the stores; does not wait until there are any. */
    StoreQueue queue();

    /** Ends the connection, after the last use. */
    @Override
    void close();
}
