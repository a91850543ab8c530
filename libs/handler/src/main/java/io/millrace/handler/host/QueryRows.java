package io.millrace.handler.host;

import org.jspecify.annotations.Nullable;

/** The rows of a running statement, for the thread that began it. */
public interface QueryRows {

    /** Returns the next row as JSON, or null at the end, which closes this. */
    byte @Nullable [] next() throws HostFailure;

    /** Returns whether there are no rows, as of most statements that change something. */
    boolean isEmpty();

    /** Stops all reads; may be called more than once. */
    void close();
}
