package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** An object. Names keep their order; no field is MISSING. */
public abstract sealed class ObjectValue extends Value permits MapObject, JsonObject {

    public static final ObjectValue EMPTY = new MapObject(Map.of());

    /** Wraps a map, which must not change afterwards and must not contain MISSING. */
    public static ObjectValue of(Map<String, Value> fields) {
        return new MapObject(fields);
    }

    public static ObjectValue of(String name, Value value) {
        return value.isMissing() ? EMPTY : new MapObject(Map.of(name, value));
    }

    /** Returns the fields in their order; read-only. */
    public abstract Map<String, Value> fields();

    public int size() {
        return fields().size();
    }

    public Value get(String name) {
        return fields().getOrDefault(name, MISSING);
    }

    @Override
    public Value field(FieldName name) {
        return name.caseSensitive() ? get(name.text()) : ignoringCase(name);
    }

    final Value ignoringCase(FieldName name) {
        Value exact = get(name.text());
        if (!exact.isMissing()) {
            return exact;
        }
        for (Map.Entry<String, Value> field : fields().entrySet()) {
            if (name.matchesIgnoringCase(field.getKey())) {
                return field.getValue();
            }
        }
        return MISSING;
    }

    /** Returns the names in the order of the collation. */
    public final List<String> sortedNames() {
        List<String> names = new ArrayList<>(fields().keySet());
        names.sort(StringValue::compare);
        return names;
    }

    /** Returns this with a field set, or removed by MISSING. */
    public final ObjectValue with(String name, Value value) {
        Map<String, Value> changed = new LinkedHashMap<>(fields());
        if (value.isMissing()) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new MapObject(changed);
    }

    @Override
    public final ValueType type() {
        return ValueType.OBJECT;
    }

    @Override
    public final boolean truth() {
        return size() > 0;
    }

    @Override
    public void write(JsonWriter out) {
        out.ascii('{');
        boolean first = true;
        for (Map.Entry<String, Value> field : fields().entrySet()) {
            if (!first) {
                out.ascii(',');
            }
            first = false;
            out.string(field.getKey());
            out.ascii(':');
            field.getValue().write(out);
        }
        out.ascii('}');
    }

    /**
     * Compares by number of fields, then by names (the object without a name of the other is larger), then by values.
     */
    @Override
    final int compareSame(Value other) {
        ObjectValue that = (ObjectValue) other;
        int bySize = Integer.compare(size(), that.size());
        if (bySize != 0) {
            return bySize;
        }
        TreeSet<String> names = new TreeSet<>(StringValue::compare);
        names.addAll(fields().keySet());
        names.addAll(that.fields().keySet());
        for (String name : names) {
            Value mine = get(name);
            Value theirs = that.get(name);
            if (mine.isMissing()) {
                return 1;
            }
            if (theirs.isMissing()) {
                return -1;
            }
            int order = mine.compareTo(theirs);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @Override
    final Value eqSame(Value other) {
        ObjectValue that = (ObjectValue) other;
        if (size() != that.size()) {
            return FALSE;
        }
        Value result = TRUE;
        for (Map.Entry<String, Value> field : fields().entrySet()) {
            Value theirs = that.get(field.getKey());
            if (theirs.isMissing()) {
                return FALSE;
            }
            result = ArrayValue.combine(result, field.getValue().eq(theirs));
            if (result == FALSE) {
                return FALSE;
            }
        }
        return result;
    }

    @Override
    public final int hashCode() {
        int hash = 11;
        for (Map.Entry<String, Value> field : fields().entrySet()) {
            hash += field.getKey().hashCode() * 31 ^ field.getValue().hashCode();
        }
        return hash;
    }

    static Map<String, Value> readOnly(Map<String, Value> fields) {
        return Collections.unmodifiableMap(fields);
    }
}
