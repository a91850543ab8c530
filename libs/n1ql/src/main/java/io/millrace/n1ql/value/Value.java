package io.millrace.n1ql.value;

import java.nio.charset.StandardCharsets;

/**
 * A value: immutable. {@link #compareTo} is the collation order over all types; {@link #equals} agrees with it, so that
 * 1 and 1.0 are one key of a group. The {@code =} of the language is {@link #eq}, which treats MISSING and NULL as
 * unknown.
 */
public abstract sealed class Value implements Comparable<Value>
        permits MissingValue, NullValue, BooleanValue, NumberValue, StringValue, ArrayValue, ObjectValue, BinaryValue {

    /** About as many characters take as much memory as a number. */
    private static final int CHARACTERS_OF_PART = 40;

    public static final Value MISSING = MissingValue.INSTANCE;
    public static final Value NULL = NullValue.INSTANCE;
    public static final Value TRUE = BooleanValue.TRUE_VALUE;
    public static final Value FALSE = BooleanValue.FALSE_VALUE;
    public static final ArrayValue EMPTY_ARRAY = ArrayValue.of();

    public static Value of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public static NumberValue of(long value) {
        return NumberValue.of(value);
    }

    public static NumberValue of(double value) {
        return NumberValue.of(value);
    }

    public static StringValue of(String value) {
        return new StringValue(value);
    }

    public abstract ValueType type();

    /** Returns whether WHERE, WHEN and SATISFIES accept this: not MISSING, NULL, FALSE, 0, NaN or an empty value. */
    public abstract boolean truth();

    /** Appends this as JSON text; MISSING is written as null. */
    public abstract void write(JsonWriter out);

    /** Compares with a value of the same type. */
    abstract int compareSame(Value other);

    /** Three-valued equality with a value of the same type. */
    Value eqSame(Value other) {
        return of(compareSame(other) == 0);
    }

    /** Returns the named field, or MISSING if it is absent or this is not an object. */
    public Value field(FieldName name) {
        return MISSING;
    }

    /** Returns the element at an index, negative ones counted from the end, or MISSING. */
    public Value element(long index) {
        return MISSING;
    }

    public final boolean isMissing() {
        return this == MISSING;
    }

    public final boolean isNull() {
        return this == NULL;
    }

    /** Returns whether this is MISSING or NULL. */
    public final boolean isUnknown() {
        return this == MISSING || this == NULL;
    }

    public final boolean isNumber() {
        return this instanceof NumberValue;
    }

    public final boolean isString() {
        return this instanceof StringValue;
    }

    public final boolean isArray() {
        return this instanceof ArrayValue;
    }

    public final boolean isObject() {
        return this instanceof ObjectValue;
    }

    /** Compares in collation order: by type, then by value. */
    @Override
    public final int compareTo(Value other) {
        if (this == other) {
            return 0;
        }
        int byType = type().compareTo(other.type());
        return byType != 0 ? byType : compareSame(other);
    }

    /** The language's {@code =}: MISSING or NULL when either side is, FALSE across types. */
    public final Value eq(Value other) {
        if (isMissing() || other.isMissing()) {
            return MISSING;
        }
        if (isNull() || other.isNull()) {
            return NULL;
        }
        return type() == other.type() ? eqSame(other) : FALSE;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Value value && compareTo(value) == 0;
    }

    @Override
    public abstract int hashCode();

    /**
     * Returns how many values this consists of, each as often as it occurs; so many characters of a text count as a further
     * one. What is inside of a document counts as one value.
     */
    public long parts() {
        return 1;
    }

    /** Returns how many values a text of so many characters counts as. */
    static long partsOfText(int length) {
        return 1 + length / CHARACTERS_OF_PART;
    }

    /** Returns this as JSON text. */
    public final String toJson() {
        return new String(toJsonBytes(), StandardCharsets.UTF_8);
    }

    /** Returns this as JSON text in UTF-8. */
    public final byte[] toJsonBytes() {
        JsonWriter out = new JsonWriter();
        write(out);
        return out.toBytes();
    }

    @Override
    public final String toString() {
        return isMissing() ? "missing" : toJson();
    }

    /** The types of values, in collation order. */
    public enum ValueType {
        MISSING("missing"),
        NULL("null"),
        BOOLEAN("boolean"),
        NUMBER("number"),
        STRING("string"),
        ARRAY("array"),
        OBJECT("object"),
        BINARY("binary");

        private final String label;

        ValueType(String label) {
            this.label = label;
        }

        /** Returns the result of {@code TYPE()}. */
        public String label() {
            return label;
        }
    }
}
