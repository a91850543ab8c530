package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;

/** JSON's null. */
final class NullValue extends Value {

    static final NullValue INSTANCE = new NullValue();

    private NullValue() {}

    @Override
    public ValueType type() {
        return ValueType.NULL;
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
        return 2;
    }
}
