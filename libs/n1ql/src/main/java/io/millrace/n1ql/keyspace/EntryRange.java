package io.millrace.n1ql.keyspace;

import java.util.Arrays;

/**
 * A range of entries of an index in the order of their bytes.
 *
 * @param from the lowest entry, inclusive
 * @param to the end, exclusive
 */
public record EntryRange(byte[] from, byte[] to) {

    public boolean contains(byte[] entry) {
        return Arrays.compareUnsigned(from, entry) <= 0 && Arrays.compareUnsigned(entry, to) < 0;
    }

    /** Returns the rest of the range after an entry, or before it when the scan is backward. */
    public EntryRange after(byte[] entry, boolean descending) {
        return descending ? new EntryRange(from, entry) : new EntryRange(Arrays.copyOf(entry, entry.length + 1), to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EntryRange range && Arrays.equals(from, range.from) && Arrays.equals(to, range.to);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
    }
}
