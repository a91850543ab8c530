package io.millrace.eventing.metrics;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts durations in bins that are at most an eighth of their value wide. Thread-safe. */
public final class Histogram {

    private static final int SUB_BITS = 3;
    private static final int SUBS = 1 << SUB_BITS;
    private static final int BINS = (Long.SIZE - SUB_BITS) * SUBS;

    private final AtomicLongArray counts = new AtomicLongArray(BINS);

    /** Adds {@code times} durations; a negative one counts as 0. */
    public void record(long micros, long times) {
        counts.addAndGet(bin(Math.max(0, micros)), times);
    }

    /** Returns the counts that are not 0 by the greatest duration in the bin, ascending. */
    public SortedMap<Long, Long> snapshot() {
        SortedMap<Long, Long> snapshot = new TreeMap<>();
        for (int bin = 0; bin < BINS; bin++) {
            long count = counts.get(bin);
            if (count > 0) {
                snapshot.put(greatest(bin), count);
            }
        }
        return snapshot;
    }

    public void reset() {
        for (int bin = 0; bin < BINS; bin++) {
            counts.set(bin, 0);
        }
    }

    private static int bin(long micros) {
        if (micros < SUBS) {
            return (int) micros;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
        int sub = (int) (micros >>> (exponent - SUB_BITS)) & (SUBS - 1);
        return (exponent - SUB_BITS + 1) * SUBS + sub;
    }

    private static long greatest(int bin) {
        if (bin < SUBS) {
            return bin;
        }
        int shift = bin / SUBS - 1;
        return ((long) (SUBS + bin % SUBS + 1) << shift) - 1;
    }
}
