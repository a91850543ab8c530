package io.millrace.documents;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of entries of an index in the order of their bytes.
 *
 * @param from the least entry that is in it
 * @param to the least entry behind it, or null for no end
 */
public record ByteRange(byte[] from, byte @Nullable [] to) {

    boolean contains(byte[] entry) {
        return Arrays.compareUnsigned(from, entry) <= 0 && (to == null || Arrays.compareUnsigned(entry, to) < 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteRange range && Arrays.equals(from, range.from) && Arrays.equals(to, range.to);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
    }
}
