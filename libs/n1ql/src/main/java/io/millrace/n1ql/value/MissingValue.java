package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;

/** MISSING: the value of a field that is not there. */
final class MissingValue extends Value {

    static final MissingValue INSTANCE = new MissingValue();

    private MissingValue() {}

    @Override
    public ValueType type() {
        return ValueType.MISSING;
    }

    @Override
    public boolean truth() {
        return false;
    }

    @Override
    public void write(JsonWriter out) {
        out.ascii("null");
    }

    @Override
    int compareSame(Value other) {
        return 0;
    }

    @Override
    public int hashCode() {
        return 1;
    }
}
