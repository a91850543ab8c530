package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
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
    public record Bound(byte[] bytes, boolean behind) {

        /** After NULL: only values compare with {@code <}. */
        public static final Bound FIRST_VALUE = new Bound(new byte[] {KeyEncoding.NULL}, true);

        /** After all values. */
        public static final Bound END = new Bound(new byte[] {BEHIND_ALL_TYPES}, false);

        /** The lower bound of values that are greater than a value, or greater or equal. */
        public static Bound from(Value value, boolean included) {
            return new Bound(bytes(value), KeyEncoding.isExact(value) && !included);
        }

        /** The upper bound of values that are less than a value, or less or equal. */
        public static Bound to(Value value, boolean included) {
            return new Bound(bytes(value), !KeyEncoding.isExact(value) || included);
        }

        private static byte[] bytes(Value value) {
            byte[] bytes = KeyEncoding.of(value);
            return KeyEncoding.isExact(value)
                    ? bytes
                    : Arrays.copyOf(bytes, value.isNumber() ? KeyEncoding.NUMBER_PREFIX : 1);
        }

        /** Returns whether another bound comes before this one. */
        public boolean isBehind(Bound other) {
            return Arrays.compareUnsigned(place(false), other.place(false)) > 0;
        }

        private byte[] place(boolean descending) {
            byte[] placed = descending ? KeyEncoding.inverted(bytes) : bytes;
            return behind == descending ? placed : KeyEncoding.concat(placed, LAST);
        }
    }

    /** The most ranges that the combinations of lists of values may give. */
    private static final int MOST = 1024;

    private List<byte[]> prefixes = new ArrayList<>(List.of(new byte[0]));
    private List<EntryRange> complete = List.of();
    private boolean ended;

    /**
     * Narrows the next key to values that it must equal; MISSING and NULL are not among them.
     *
     * @return false if no further key can be narrowed; {@link #ranges()} are then complete
     */
    public boolean equalTo(List<Value> values, boolean descending) {
        if (prefixes.size() * (long) values.size() > MOST || !values.stream().allMatch(KeyEncoding::isExact)) {
            between(lowest(values), highest(values), descending);
            return false;
        }
        List<byte[]> longer = new ArrayList<>();
        List<byte[]> encoded = new ArrayList<>();
        for (Value value : values) {
            byte[] bytes = KeyEncoding.of(value);
            encoded.add(descending ? KeyEncoding.inverted(bytes) : bytes);
        }
        encoded.sort(Arrays::compareUnsigned);
        for (byte[] prefix : prefixes) {
            byte[] before = null;
            for (byte[] bytes : encoded) {
                if (before == null || !Arrays.equals(before, bytes)) {
                    longer.add(KeyEncoding.concat(prefix, bytes));
                }
                before = bytes;
            }
        }
        prefixes = longer;
        return true;
    }

    private static Bound lowest(List<Value> values) {
        return Bound.from(values.stream().min(Value::compareTo).orElseThrow(), true);
    }

    private static Bound highest(List<Value> values) {
        return Bound.to(values.stream().max(Value::compareTo).orElseThrow(), true);
    }

    /** Narrows the next key to a range; no further key can be narrowed. */
    public void between(Bound from, Bound to, boolean descending) {
        byte[] start = (descending ? to : from).place(descending);
        byte[] end = (descending ? from : to).place(descending);
        List<EntryRange> ranges = new ArrayList<>();
        for (byte[] prefix : prefixes) {
            EntryRange range = new EntryRange(KeyEncoding.concat(prefix, start), KeyEncoding.concat(prefix, end));
            if (Arrays.compareUnsigned(range.from(), range.to()) < 0) {
                ranges.add(range);
            }
        }
        complete = ranges;
        ended = true;
    }

    /** Returns the ranges in order; they do not overlap. */
    public List<EntryRange> ranges() {
        if (ended) {
            return complete;
        }
        List<EntryRange> ranges = new ArrayList<>();
        for (byte[] prefix : prefixes) {
            ranges.add(new EntryRange(prefix, KeyEncoding.concat(prefix, LAST)));
        }
        return ranges;
    }
}
