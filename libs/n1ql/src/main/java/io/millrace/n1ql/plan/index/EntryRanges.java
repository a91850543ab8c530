package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.plan.index.Intervals.Interval;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ranges of entries of an index, narrowed key by key. They include all matching entries and possibly others, because
 * conditions are checked again.
 */
final class EntryRanges {

    /** Greater than any continuation; one byte is not enough, because a descending text ends with FF FE. */
    private static final byte[] LAST = {(byte) 0xff, (byte) 0xff};

    private static final byte BEHIND_ALL_TYPES = (byte) 0xfe;

    /** A bound of a key: before or after all values that begin with these bytes. */
    record Bound(byte[] bytes, boolean behind) {

        /** After NULL: only values compare with {@code <}. */
        static final Bound FIRST_VALUE = new Bound(new byte[] {KeyEncoding.NULL}, true);

        /** After all values. */
        static final Bound END = new Bound(new byte[] {BEHIND_ALL_TYPES}, false);

        /** The lower bound of values that are greater than a value, or greater or equal. */
        static Bound from(Value value, boolean included) {
            return new Bound(bytes(value), KeyEncoding.isExact(value) && !included);
        }

        /** The upper bound of values that are less than a value, or less or equal. */
        static Bound to(Value value, boolean included) {
            return new Bound(bytes(value), !KeyEncoding.isExact(value) || included);
        }

        private static byte[] bytes(Value value) {
            byte[] bytes = KeyEncoding.of(value);
            return KeyEncoding.isExact(value)
                    ? bytes
                    : Arrays.copyOf(bytes, value.isNumber() ? KeyEncoding.NUMBER_PREFIX : 1);
        }

        /** Returns whether another bound comes before this one. */
        boolean isBehind(Bound other) {
            return Arrays.compareUnsigned(place(false), other.place(false)) > 0;
        }

        private byte[] place(boolean descending) {
            byte[] placed = descending ? KeyEncoding.inverted(bytes) : bytes;
            return behind == descending ? placed : KeyEncoding.concat(placed, LAST);
        }
    }

    /** The most ranges that the combinations of values of several keys may give. */
    private static final int MOST = 1024;

    private List<byte[]> prefixes = new ArrayList<>(List.of(new byte[0]));
    private List<EntryRange> complete = List.of();
    private boolean ended;
    private boolean exact = true;

    /**
     * Narrows the next key.
     *
     * @return whether the key after it can be narrowed
     */
    boolean narrow(Intervals values, boolean descending) {
        Intervals kept = values;
        if (prefixes.size() * (long) values.all().size() > MOST) {
            List<Interval> all = values.all();
            kept = Intervals.of(all.getFirst().from(), all.getLast().to(), false);
        }
        exact &= kept.exact();
        if (!kept.points()) {
            between(kept.all(), descending);
            return false;
        }
        List<byte[]> longer = new ArrayList<>(prefixes.size() * kept.all().size());
        for (byte[] prefix : prefixes) {
            for (Interval point : descending ? kept.all().reversed() : kept.all()) {
                byte[] bytes = point.from().bytes();
                longer.add(KeyEncoding.concat(prefix, descending ? KeyEncoding.inverted(bytes) : bytes));
            }
        }
        prefixes = longer;
        return !longer.isEmpty();
    }

    private void between(List<Interval> intervals, boolean descending) {
        List<EntryRange> ranges = new ArrayList<>(prefixes.size() * intervals.size());
        for (byte[] prefix : prefixes) {
            for (Interval interval : descending ? intervals.reversed() : intervals) {
                byte[] start = (descending ? interval.to() : interval.from()).place(descending);
                byte[] end = (descending ? interval.from() : interval.to()).place(descending);
                ranges.add(new EntryRange(KeyEncoding.concat(prefix, start), KeyEncoding.concat(prefix, end)));
            }
        }
        complete = ranges;
        ended = true;
    }

    /** Returns whether the entries fulfil all conditions that narrowed the keys. */
    boolean exact() {
        return exact;
    }

    /** Returns the ranges in order; they do not overlap. */
    List<EntryRange> ranges() {
        if (ended) {
            return complete;
        }
        List<EntryRange> ranges = new ArrayList<>(prefixes.size());
        for (byte[] prefix : prefixes) {
            ranges.add(new EntryRange(prefix, KeyEncoding.concat(prefix, LAST)));
        }
        return ranges;
    }
}
