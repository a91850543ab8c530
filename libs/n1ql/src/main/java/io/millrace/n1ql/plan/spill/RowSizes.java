package io.millrace.n1ql.plan.spill;

import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import org.jspecify.annotations.Nullable;

/** About how many bytes of heap rows hold. */
public final class RowSizes {

    private static final long ROW = 64;

    private RowSizes() {}

    public static long of(@Nullable Value... values) {
        long size = ROW;
        for (Value value : values) {
            size += value == null ? 0 : ValueBytes.size(value);
        }
        return size;
    }
}
