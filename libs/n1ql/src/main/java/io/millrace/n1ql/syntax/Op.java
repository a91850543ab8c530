package io.millrace.n1ql.syntax;

/** Operators. */
public enum Op {
    NOT("not"),
    AND("and"),
    OR("or"),
    EQ("="),
    NE("!="),
    LT("<"),
    LE("<="),
    GT(">"),
    GE(">="),
    IS_NULL("is null"),
    IS_NOT_NULL("is not null"),
    IS_MISSING("is missing"),
    IS_NOT_MISSING("is not missing"),
    IS_VALUED("is valued"),
    IS_NOT_VALUED("is not valued"),
    IS_DISTINCT("is distinct from"),
    IS_NOT_DISTINCT("is not distinct from"),
    IN("in"),
    WITHIN("within"),
    BETWEEN("between"),
    LIKE("like"),
    EXISTS("exists"),
    NEGATE("-"),
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    MODULO("%"),
    INTEGER_DIVIDE("div"),
    INTEGER_MODULO("mod"),
    CONCAT("||");

    private final String text;

    Op(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
