package io.millrace.documents;

/**
 * The one number of a mutation, {@code incarnation << 42 | counter}: CAS of its document and place in its shard's
 * order. Stays below 2^53, so that a double holds it exactly.
 */
public final class Seqno {

    private static final int COUNTER_BITS = 42;

    private Seqno() {}

    /** Returns the number that lies before the first mutation of an incarnation. */
    static long first(long incarnation) {
        return incarnation << COUNTER_BITS;
    }

    /** Returns whether two mutations were made in the same {@link BucketInfo#incarnation}. */
    public static boolean sameIncarnation(long one, long other) {
        return one >> COUNTER_BITS == other >> COUNTER_BITS;
    }
}
