package io.millrace.httpdoor;

/**
 * Whether a body arrives as fast as one must whose bytes are held while others do not fit. A client may fall behind that rate
 * for a while, and cannot be ahead of it: a fast first half does not pay for a slow second one. Not thread-safe.
 */
final class BodyPace {

    private long behindNanos;
    private long sinceNanos;
    private boolean begun;

    /** Notes a piece, and returns whether the client is too far behind. */
    boolean isSlow(long bytes, long nowNanos) {
        if (begun) {
            long due = bytes * 1_000_000_000L / ByteBudgetLimits.MIN_BODY_BYTES_PER_SECOND;
            behindNanos = Math.max(0, behindNanos + (nowNanos - sinceNanos) - due);
        }
        return behindNanos > ByteBudgetLimits.LONGEST_BODY_LAG.toNanos();
    }

    /** From now on it is the client that is waited for. */
    void waitsForMore(long nowNanos) {
        begun = true;
        sinceNanos = nowNanos;
    }
}
