package io.millrace.eventing.delivery;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events of one vbucket that were dispatched and not acknowledged. Acknowledgements may come in any order, as they
 * do after a worker died: the checkpoint stays behind the oldest outstanding event.
 */
final class OutstandingEvents {

    /** Null before the first event: an idle function has a thousand vbuckets without any. */
    private @Nullable Dispatched dispatched;

    private long handled;

    private static final class Dispatched {

        final ArrayDeque<Long> seqnos = new ArrayDeque<>();

        /** When the changes in {@link #seqnos} were made, in seconds since 1970; 0 when unknown. */
        final ArrayDeque<Long> made = new ArrayDeque<>();

        /** Events that were acknowledged before an older one. */
        final Set<Long> early = new HashSet<>();
    }

    /** @param handled the seqno up to which everything was handled before */
    OutstandingEvents(long handled) {
        this.handled = handled;
    }

    private Dispatched dispatched() {
        Dispatched known = dispatched;
        if (known == null) {
            known = new Dispatched();
            dispatched = known;
        }
        return known;
    }

    /**
     * Adds an event that is newer than all before.
     *
     * @param madeSeconds when its change was made, in seconds since 1970; 0 when unknown
     */
    synchronized void add(long seqno, long madeSeconds) {
        Dispatched all = dispatched();
        all.seqnos.addLast(seqno);
        all.made.addLast(madeSeconds);
    }

    /** Returns when the change of the oldest event was made, in seconds since 1970; {@link Long#MAX_VALUE} for none. */
    synchronized long oldest() {
        Long oldest = dispatched == null ? null : dispatched.made.peekFirst();
        return oldest == null || oldest == 0 ? Long.MAX_VALUE : oldest;
    }

    synchronized void acknowledge(long seqno) {
        Dispatched all = dispatched();
        Long oldest = all.seqnos.peekFirst();
        if (oldest == null || oldest != seqno) {
            all.early.add(seqno);
            return;
        }
        removeFirst(all);
        while (!all.early.isEmpty() && !all.seqnos.isEmpty() && all.early.remove(all.seqnos.peekFirst())) {
            removeFirst(all);
        }
    }

    private void removeFirst(Dispatched all) {
        handled = all.seqnos.removeFirst();
        all.made.removeFirst();
    }

    /**
     * Returns the seqno up to which no event needs to be delivered again.
     *
     * @param read the seqno up to which everything was read and dispatched, as known before this call
     */
    synchronized long reached(long read) {
        return dispatched == null || dispatched.seqnos.isEmpty() ? Math.max(read, handled) : handled;
    }
}
