package io.millrace.n1ql.plan.spill;

import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import org.jspecify.annotations.Nullable;

/** About how many bytes of heap rows hold. */
public final class RowSizes {

    private static final long ROW = 64;

    /** Of a set or a map, with its part of a table that is about half full. */
    private static final long ENTRY = 48;

    /** Of a list that has room for half as many more. */
    private static final long REFERENCE = 6;

    private RowSizes() {}

    public static long of(@Nullable Value... values) {
        long size = ROW;
        for (Value value : values) {
            size += value == null ? 0 : ValueBytes.size(value);
        }
        return size;
    }

    /** Returns what a set holds for one of its values. */
    public static long entry(Value value) {
        return ENTRY + ValueBytes.size(value);
    }

    /** Returns what a list holds for one of its values. */
    public static long listed(Value value) {
        return REFERENCE + ValueBytes.size(value);
    }

    /** Returns what a row holds, without values that are held elsewhere. */
    public static long of(Frame row) {
        return besides(null, row);
    }

    /**
     * Returns what a row holds besides the values that it shares with the row before, for example the document whose elements
     * UNNEST returns.
     */
    public static long besides(@Nullable Frame before, Frame row) {
        long size = ROW;
        @Nullable Value[] values = row.values();
        for (int i = 0; i < values.length; i++) {
            Value value = values[i];
            boolean shared = row.isShared(i) || before != null && before.known(i) == value;
            size += value == null || shared ? 0 : ValueBytes.size(value);
        }
        return size;
    }
}
