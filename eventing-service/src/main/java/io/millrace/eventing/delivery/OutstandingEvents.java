package io.millrace.eventing.delivery;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/**
 * The events of one vbucket that were dispatched and not acknowledged. Acknowledgements may come in any order, as they
 * do after a worker died: the checkpoint stays behind the oldest outstanding event.
 */
final class OutstandingEvents {

    private final ArrayDeque<Long> dispatched = new ArrayDeque<>();

    /** When the changes in {@link #dispatched} were made, in seconds since 1970; 0 when unknown. */
    private final ArrayDeque<Long> made = new ArrayDeque<>();

    /** Events that were acknowledged before an older one. */
    private final Set<Long> early = new HashSet<>();

    private long handled;

    /** @param handled the seqno up to which everything was handled before */
    OutstandingEvents(long handled) {
        this.handled = handled;
    }

    /**
     * Adds an event that is newer than all before.
     *
     * @param madeSeconds when its change was made, in seconds since 1970; 0 when unknown
     */
    synchronized void add(long seqno, long madeSeconds) {
        dispatched.addLast(seqno);
        made.addLast(madeSeconds);
    }

    /** Returns when the change of the oldest event was made, in seconds since 1970; {@link Long#MAX_VALUE} for none. */
    synchronized long oldest() {
        Long oldest = made.peekFirst();
        return oldest == null || oldest == 0 ? Long.MAX_VALUE : oldest;
    }

    synchronized void acknowledge(long seqno) {
        Long oldest = dispatched.peekFirst();
        if (oldest == null || oldest != seqno) {
            early.add(seqno);
            return;
        }
        removeFirst();
        while (!early.isEmpty() && !dispatched.isEmpty() && early.remove(dispatched.peekFirst())) {
            removeFirst();
        }
    }

    private void removeFirst() {
        handled = dispatched.removeFirst();
        made.removeFirst();
    }

    /**
     * Returns the seqno up to which no event needs to be delivered again.
     *
     * @param read the seqno up to which everything was read and dispatched, as known before this call
     */
    synchronized long reached(long read) {
        return dispatched.isEmpty() ? Math.max(read, handled) : handled;
    }
}
