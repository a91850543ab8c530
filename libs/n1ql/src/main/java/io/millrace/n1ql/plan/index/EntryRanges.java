package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.EntryRange;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ranges of entries of an index, narrowed key by key. They hold all entries that are asked for, and at times some more:
 * conditions are checked again on what is read.
 */
final class EntryRanges {

    /** Greater than whatever may follow; one byte would not do, a descending text ends with FF FE. */
    private static final byte[] LAST = {(byte) 0xff, (byte) 0xff};

    private static final byte BEHIND_ALL_TYPES = (byte) 0xfe;

    /** A place among the values of a key: before or behind all whose bytes begin so. */
    public record Bound(byte[] bytes, boolean behind) {

        /** Behind NULL: what is compared with {@code <} is a value. */
        public static final Bound FIRST_VALUE = new Bound(new byte[] {KeyEncoding.NULL}, true);

        /** Behind all values. */
        public static final Bound END = new Bound(new byte[] {BEHIND_ALL_TYPES}, false);

        /** The start of what is greater than a value, or equal to it as well. */
        public static Bound from(Value value, boolean included) {
            return new Bound(bytes(value), KeyEncoding.isExact(value) && !included);
        }

        /** The end of what is less than a value, or equal to it as well. */
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

    /** The most ranges that lists of values may be multiplied to. */
    private static final int MOST = 1024;

    private List<byte[]> prefixes = new ArrayList<>(List.of(new byte[0]));
    private List<EntryRange> complete = List.of();
    private boolean ended;

    /**
     * Narrows the next key to values that it must be equal to, of which none is MISSING or NULL.
     *
     * @return false when no further key can be narrowed; {@link #ranges()} are complete then
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

    /** Returns the ranges in their order; they have nothing in common. */
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
