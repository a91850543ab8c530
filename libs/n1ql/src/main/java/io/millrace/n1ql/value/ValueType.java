package io.millrace.n1ql.value;

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
