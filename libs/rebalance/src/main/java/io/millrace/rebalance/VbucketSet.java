package io.millrace.rebalance;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A set of vbuckets. Immutable. Its text form, also in JSON, is ascending runs such as {@code "0-170,512-682"}, empty for the
 * empty set.
 */
public final class VbucketSet {

    /** The empty set. */
    public static final VbucketSet NONE = new VbucketSet(new BitSet());

    private final BitSet bits;

    private VbucketSet(BitSet bits) {
        this.bits = bits;
    }

    /** Returns the vbuckets of a range, both ends included; empty if the last is less than the first. */
    public static VbucketSet range(int first, int last) {
        BitSet bits = new BitSet();
        if (first <= last) {
            bits.set(first, last + 1);
        }
        return new VbucketSet(bits);
    }

    /** Returns a set of these vbuckets. */
    public static VbucketSet of(IntStream vbuckets) {
        BitSet bits = new BitSet();
        vbuckets.forEach(bits::set);
        return new VbucketSet(bits);
    }

    /**
     * Parses the text form of a set.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    @JsonCreator
    public static VbucketSet parse(String text) {
        BitSet bits = new BitSet();
        if (!text.isEmpty()) {
            for (String run : text.split(",", -1)) {
                int dash = run.indexOf('-');
                int first = Integer.parseInt(dash < 0 ? run : run.substring(0, dash));
                int last = dash < 0 ? first : Integer.parseInt(run.substring(dash + 1));
                if (first < 0 || last < first) {
                    throw new IllegalArgumentException(
                            "Not a vbucket or a range of vbuckets: '" + run + "'; write for example 0-170,512");
                }
                bits.set(first, last + 1);
            }
        }
        return new VbucketSet(bits);
    }

    public boolean contains(int vbucket) {
        return bits.get(vbucket);
    }

    public boolean isEmpty() {
        return bits.isEmpty();
    }

    public int size() {
        return bits.cardinality();
    }

    /** Returns the vbuckets, ascending. */
    public IntStream stream() {
        return bits.stream();
    }

    /** Returns the union with another set. */
    public VbucketSet plus(VbucketSet other) {
        BitSet sum = (BitSet) bits.clone();
        sum.or(other.bits);
        return new VbucketSet(sum);
    }

    /** Returns this set without the vbuckets of another. */
    public VbucketSet minus(VbucketSet other) {
        BitSet rest = (BitSet) bits.clone();
        rest.andNot(other.bits);
        return new VbucketSet(rest);
    }

    /** Returns the intersection with another set. */
    public VbucketSet and(VbucketSet other) {
        BitSet both = (BitSet) bits.clone();
        both.and(other.bits);
        return new VbucketSet(both);
    }

    /**
     * Splits the set, in ascending order, into parts whose sizes differ by at most one, larger ones first (seed document 000,
     * figure 5). Nodes get the parts of all vbuckets, workers the parts of their node's share.
     */
    public List<VbucketSet> split(int parts) {
        int size = size();
        List<VbucketSet> split = new ArrayList<>(parts);
        int from = bits.nextSetBit(0);
        for (int part = 0; part < parts; part++) {
            BitSet piece = new BitSet();
            for (int left = size / parts + (part < size % parts ? 1 : 0); left > 0; left--) {
                piece.set(from);
                from = bits.nextSetBit(from + 1);
            }
            split.add(new VbucketSet(piece));
        }
        return split;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VbucketSet set && bits.equals(set.bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    @Override
    @JsonValue
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            text.append(text.isEmpty() ? "" : ",").append(first);
            if (end - 1 > first) {
                text.append('-').append(end - 1);
            }
            first = bits.nextSetBit(end);
        }
        return text.toString();
    }
}
