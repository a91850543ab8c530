package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.value.StringValue;
import org.jspecify.annotations.Nullable;

/** A range of keys in the order of their bytes; a null end is open. */
public record KeyRange(
        @Nullable String from,
        boolean fromIncluded,
        @Nullable String to,
        boolean toIncluded) {

    public static final KeyRange ALL = new KeyRange(null, true, null, true);

    /** Returns the rest of the range after a key. */
    public KeyRange after(String key) {
        return new KeyRange(key, false, to, toIncluded);
    }

    public boolean contains(String key) {
        return startsBefore(key) && endsBehind(key);
    }

    private boolean startsBefore(String key) {
        if (from == null) {
            return true;
        }
        int order = StringValue.compare(from, key);
        return order < 0 || order == 0 && fromIncluded;
    }

    private boolean endsBehind(String key) {
        if (to == null) {
            return true;
        }
        int order = StringValue.compare(key, to);
        return order < 0 || order == 0 && toIncluded;
    }
}
