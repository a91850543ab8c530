package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;

/** TRUE and FALSE. */
final class BooleanValue extends Value {

    static final BooleanValue TRUE_VALUE = new BooleanValue(true);
    static final BooleanValue FALSE_VALUE = new BooleanValue(false);

    private final boolean value;

    private BooleanValue(boolean value) {
        this.value = value;
    }

    @Override
    public ValueType type() {
        return ValueType.BOOLEAN;
    }

    @Override
    public boolean truth() {
        return value;
    }

    @Override
    public void write(JsonWriter out) {
        out.ascii(value ? "true" : "false");
    }

    @Override
    int compareSame(Value other) {
        return Boolean.compare(value, ((BooleanValue) other).value);
    }

    @Override
    public int hashCode() {
        return value ? 3 : 4;
    }
}
