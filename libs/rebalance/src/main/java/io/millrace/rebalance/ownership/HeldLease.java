package io.millrace.rebalance.ownership;

import java.time.Duration;

/**
 * A node's view of its own lease. The store counts the lease from the arrival of a renewal; the node counts a shorter time
 * from sending it, so it never relies on a lease that the store has ended. After a lapse a new term starts, in which the node
 * must first check for each function what it still owns. Times are milliseconds of a monotonic clock. Not thread-safe.
 */
public final class HeldLease {

    /** The fraction of the lease that a node does not rely on, because clocks drift and threads are delayed. */
    private static final double MARGIN = 0.1;

    private final long countedMillis;
    private long sentMillis;
    private long term;

    public HeldLease(Duration lease) {
        this.countedMillis = lease.toMillis() - (long) (lease.toMillis() * MARGIN);
    }

    /**
     * Records that the store confirmed a renewal.
     *
     * @param lapsed whether the store had no lease of the node until then: the clock of a machine that was suspended has stood still,
     *     and others may have taken over what the node owned
     */
    public void renewed(long sentAt, boolean lapsed) {
        boolean late = term != 0 && sentAt < sentMillis;
        if (term == 0 || lapsed || !late && sentAt - sentMillis >= countedMillis) {
            term++;
        }
        sentMillis = late ? sentMillis : sentAt;
    }

    /** Whether the node can be sure that the store has not ended the lease. */
    public boolean held(long now) {
        return term != 0 && now - sentMillis < countedMillis;
    }

    /** Returns the number of the current uninterrupted lease; 0 before the first. */
    public long term() {
        return term;
    }

    /**
     * Whether the node may act as owner.
     *
     * @param comparedTerm the term in which the node last asked the store what it owns and got a response
     */
    public boolean valid(long now, long comparedTerm) {
        return held(now) && comparedTerm == term;
    }
}
