package io.millrace.documents.notify;

import io.millrace.documents.Limits;

/**
 * Notifies readers that something may have changed. Notifications are hints: one may be lost or come without a change, so
 * a reader also looks by itself every {@link Limits#SLOW_POLL}.
 */
public interface ChangeNotifier {

    /** Never notifies: for processes that follow no feed. Changes of the catalog are seen by the slow poll. */
    ChangeNotifier SILENT = (topic, callback) -> () -> {};

    /**
     * Calls back at each notification of a topic until the subscription is closed. Never blocks and never fails, also
     * without a connection; the callback must not block.
     */
    Subscription subscribe(String topic, Runnable callback);

    /** Ends with {@link #close()}. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
