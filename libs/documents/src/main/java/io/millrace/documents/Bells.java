package io.millrace.documents;

/**
 * Tells who waits that something may have changed. Only a hint: a ring may be lost or come for nothing, so whoever
 * listens also looks by itself once in {@link Limits#SLOW_POLL}.
 */
public interface Bells {

    /** Never rings: for processes that follow no feed. Changes of the catalog are seen by the slow poll. */
    Bells SILENT = (topic, ring) -> () -> {};

    /**
     * Calls back whenever a topic rings, until the listening is closed. Never blocks and never fails, also when there
     * is no connection; the callback must not block.
     */
    Listening listen(String topic, Runnable ring);

    /** Ends with {@link #close()}. */
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }
}
