package io.millrace.eventing.producer;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/**
 * The events of one vbucket that were dispatched and not acknowledged. Acknowledgements may come in any order, as they
 * do when a worker died: the checkpoint stays behind the oldest event that is still out.
 */
final class OutstandingEvents {

    private final ArrayDeque<Long> dispatched = new ArrayDeque<>();

    /** Acknowledged before an older one was. */
    private final Set<Long> early = new HashSet<>();

    private long handled;

    /** @param handled up to which seqno everything was handled before */
    OutstandingEvents(long handled) {
        this.handled = handled;
    }

    /** Adds an event that is newer than all before. */
    synchronized void add(long seqno) {
        dispatched.addLast(seqno);
    }

    synchronized void acknowledge(long seqno) {
        Long oldest = dispatched.peekFirst();
        if (oldest == null || oldest != seqno) {
            early.add(seqno);
            return;
        }
        handled = dispatched.removeFirst();
        while (!early.isEmpty() && !dispatched.isEmpty() && early.remove(dispatched.peekFirst())) {
            handled = dispatched.removeFirst();
        }
    }

    /**
     * Returns up to which seqno no event needs to come again.
     *
     * @param read up to which seqno everything was read and dispatched, as known before this call
     */
    synchronized long reached(long read) {
        return dispatched.isEmpty() ? Math.max(read, handled) : handled;
    }
}
