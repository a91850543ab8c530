package io.millrace.documents;

import io.millrace.redis.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of document ids in the order of their bytes. An end that is null is open. */
public record IdRange(
        @Nullable String from,
        boolean fromIncluded,
        @Nullable String to,
        boolean toIncluded) {

    public static final IdRange ALL = new IdRange(null, true, null, true);

    /** Returns what is left of the range behind an id. */
    public IdRange after(String id) {
        return new IdRange(id, false, to, toIncluded);
    }

    /** Returns what is left of the range in front of an id. */
    public IdRange before(String id) {
        return new IdRange(from, fromIncluded, id, false);
    }

    public boolean contains(String id) {
        int start = from == null ? 1 : compare(id, from);
        int end = to == null ? -1 : compare(id, to);
        return (start > 0 || start == 0 && fromIncluded) && (end < 0 || end == 0 && toIncluded);
    }

    /** Orders ids by their bytes, which is not how Java orders what is beyond 16 bits. */
    public static int compare(String left, String right) {
        return Arrays.compareUnsigned(Bytes.bytes(left), Bytes.bytes(right));
    }
}
