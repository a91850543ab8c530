package io.millrace.eventing.delivery;

import io.millrace.streams.store.StreamName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An event stream that has changed and whose events are being handed out. One thread hands them out, some at a time, and waits
 * for their outcomes, which other threads bring. Thread-safe.
 */
final class OpenStream {

    private final StreamName name;
    private final int vbucket;

    /** The seqnos of the changes of the stream that were read and whose events are not all handled. */
    private final Deque<Long> rows = new ArrayDeque<>();

    private long first;
    private int handedOut;
    private final BitSet handled = new BitSet();
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    private boolean closed;

    OpenStream(StreamName name, int vbucket) {
        this.name = name;
        this.vbucket = vbucket;
    }

    StreamName name() {
        return name;
    }

    int vbucket() {
        return vbucket;
    }

    /** Notes a change that was read. */
    synchronized void changed(long seqno) {
        rows.add(seqno);
    }

    /** Returns the changes that were noted since the last call; the events of each can be read by now. */
    synchronized List<Long> takeChanges() {
        List<Long> taken = new ArrayList<>(rows);
        rows.clear();
        return taken;
    }

    /** Begins to hand out events. Completes when all have an outcome, or when the stream is closed. */
    synchronized CompletableFuture<Void> begin(long firstIndex, int events) {
        first = firstIndex;
        handedOut = events;
        handled.clear();
        done = closed ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        return done;
    }

    /** Notes that an event need not be delivered again. */
    synchronized void ended(long index) {
        if (index < first || index >= first + handedOut) {
            return; // of an earlier time that this stream was open
        }
        handled.set((int) (index - first));
        if (handled.cardinality() == handedOut) {
            done.complete(null);
        }
    }

    /** Returns the index of the first event that was handed out and may have to be delivered again. */
    synchronized long reached() {
        return first + handled.nextClearBit(0);
    }

    /** Lets the thread that waits for outcomes go on without them. */
    synchronized void close() {
        closed = true;
        done.complete(null);
    }
}
