package io.millrace.rebalance;

import java.time.Duration;

/**
 * What a node knows of its own lease. The store counts from when a renewal arrives, the node from when it was sent, and
 * less long: so it is never still sure of a lease that the store has ended. After a lapse a new term begins, in which it
 * must first look what it still owns, function by function. Times are of one clock of the node that never goes back, in milliseconds. Not thread-safe.
 */
public final class HeldLease {

    /** The part of the lease that a node does not count on: clocks run at different speeds, and threads are held up. */
    private static final double MARGIN = 0.1;

    private final long countedMillis;
    private long sentMillis;
    private long term;

    public HeldLease(Duration lease) {
        this.countedMillis = lease.toMillis() - (long) (lease.toMillis() * MARGIN);
    }

    /** Notes that the store has answered a renewal. */
    public void renewed(long sentAt) {
        if (term != 0 && sentAt < sentMillis) {
            return;
        }
        if (term == 0 || sentAt - sentMillis >= countedMillis) {
            term++;
        }
        sentMillis = sentAt;
    }

    /** Returns whether the store cannot have ended the lease. */
    public boolean held(long now) {
        return term != 0 && now - sentMillis < countedMillis;
    }

    /** Returns which unbroken lease this is; 0 before the first. */
    public long term() {
        return term;
    }

    /**
     * Returns whether a node may act on what it owns.
     *
     * @param comparedTerm the term in which it asked the store what it owns, for the last question that was answered
     */
    public boolean valid(long now, long comparedTerm) {
        return held(now) && comparedTerm == term;
    }
}
