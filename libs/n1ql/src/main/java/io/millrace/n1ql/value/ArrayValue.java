package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** An array. May hold MISSING, which is written as null. */
public final class ArrayValue extends Value implements Iterable<Value> {

    private final List<Value> items;

    /** Zero until it is counted. */
    private long parts;

    private ArrayValue(List<Value> items) {
        this.items = items;
    }

    public static ArrayValue of(Value... items) {
        return new ArrayValue(List.of(items));
    }

    /** Wraps a list, which must not change afterwards. */
    public static ArrayValue of(List<Value> items) {
        return new ArrayValue(items);
    }

    public static ArrayValue ofStrings(Iterable<String> texts) {
        List<Value> items = new ArrayList<>();
        texts.forEach(text -> items.add(Value.of(text)));
        return new ArrayValue(items);
    }

    /** Returns the elements; read-only. */
    public List<Value> items() {
        return items;
    }

    public int size() {
        return items.size();
    }

    public Value get(int index) {
        return items.get(index);
    }

    @Override
    public Iterator<Value> iterator() {
        return items.iterator();
    }

    /** Returns whether there is an element at a position; unlike {@link #size}, this reads none behind it. */
    public boolean has(int index) {
        return items instanceof JsonItems unread ? unread.has(index) : index < items.size();
    }

    @Override
    public long parts() {
        if (parts == 0) {
            long count = 1;
            if (!(items instanceof JsonItems)) {
                for (Value item : items) {
                    count += item.parts();
                }
            }
            parts = count;
        }
        return parts;
    }

    @Override
    public Value element(long index) {
        long at = index < 0 ? index + items.size() : index;
        return at >= 0 && at <= Integer.MAX_VALUE && has((int) at) ? items.get((int) at) : MISSING;
    }

    @Override
    public ValueType type() {
        return ValueType.ARRAY;
    }

    @Override
    public boolean truth() {
        return !items.isEmpty();
    }

    @Override
    public void write(JsonWriter out) {
        out.ascii('[');
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                out.ascii(',');
            }
            items.get(i).write(out);
        }
        out.ascii(']');
    }

    @Override
    int compareSame(Value other) {
        List<Value> theirs = ((ArrayValue) other).items;
        int length = Math.min(items.size(), theirs.size());
        for (int i = 0; i < length; i++) {
            int order = items.get(i).compareTo(theirs.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(items.size(), theirs.size());
    }

    @Override
    Value eqSame(Value other) {
        List<Value> theirs = ((ArrayValue) other).items;
        if (items.size() != theirs.size()) {
            return FALSE;
        }
        Value result = TRUE;
        for (int i = 0; i < items.size(); i++) {
            result = combine(result, items.get(i).eq(theirs.get(i)));
            if (result == FALSE) {
                return FALSE;
            }
        }
        return result;
    }

    /** AND over the equality of parts: FALSE beats MISSING beats NULL beats TRUE. */
    static Value combine(Value soFar, Value part) {
        if (part == FALSE || soFar == TRUE) {
            return part;
        }
        return part.isMissing() ? part : soFar;
    }

    @Override
    public int hashCode() {
        int hash = 7;
        for (Value item : items) {
            hash = 31 * hash + item.hashCode();
        }
        return hash;
    }
}
