package io.millrace.documents.spring;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.SystemHandle;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Removes documents that are due, from all buckets, again and again on a virtual thread. Every process may run one: a
 * document expires once.
 */
final class ExpiryPager implements AutoCloseable {

    private static final int PAGE_DOCUMENTS = 1000;
    private static final System.Logger LOG = System.getLogger(ExpiryPager.class.getName());

    private final DocumentStore store;
    private final Duration interval;
    private volatile boolean closed;
    private @Nullable Thread thread;

    /** @param interval how long to wait after a round */
    ExpiryPager(DocumentStore store, Duration interval) {
        this.store = store.with(SystemHandle.ALL);
        this.interval = interval;
    }

    /** Begins; does nothing when it has begun or is closed. */
    synchronized void start() {
        if (thread == null && !closed) {
            thread = Thread.ofVirtual().name("expiry-pager").start(this::rounds);
        }
    }

    private void rounds() {
        while (!closed) {
            try {
                round();
            } catch (CompletionException e) {
                LOG.log(System.Logger.Level.WARNING, "event=expiry_round_failed cause=\"{0}\"", e.getCause());
            }
            LockSupport.parkNanos(interval.toNanos());
        }
    }

    private void round() {
        for (BucketInfo bucket : store.catalog().list().join()) {
            while (!closed && store.expireDue(bucket.name(), PAGE_DOCUMENTS).join() > 0) {
                // until none is due
            }
        }
    }

    /** Ends it, at the latest after the page that it is at. */
    @Override
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
