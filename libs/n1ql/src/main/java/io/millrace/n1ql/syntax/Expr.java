package io.millrace.n1ql.syntax;

import io.millrace.n1ql.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Expressions. Two expressions are equal if their text and the meaning of their names are equal. */
public sealed interface Expr {

    record Literal(Value value) implements Expr {}

    /** A parameter of the request: {@code $name} and {@code :name} by name, {@code $1} and {@code ?} by position. */
    record Param(String name, Place place) implements Expr {}

    /** A name that has not been resolved. */
    record Name(String name, boolean ignoreCase, Place place) implements Expr {}

    /** A resolved name: a slot in the frame of a block. */
    record Ref(int block, int slot, String name) implements Expr {}

    /** {@code SELF} and {@code *} in expressions. */
    record Self(Place place) implements Expr {}

    record Field(Expr base, String name, boolean ignoreCase, Place place) implements Expr {}

    record DynamicField(Expr base, Expr name, boolean ignoreCase) implements Expr {}

    record Element(Expr base, Expr index) implements Expr {}

    record Slice(Expr base, @Nullable Expr from, @Nullable Expr to) implements Expr {}

    /**
     * {@code [*]} or {@code []}: the following fields are looked up in every element.
     *
     * @param columns whether it is {@code [*]}, which at the end of a path is ARRAY_STAR()
     */
    record Star(Expr base, boolean columns) implements Expr {}

    record Operation(Op op, List<Expr> args, Place place) implements Expr {
        public Expr arg(int index) {
            return args.get(index);
        }
    }

    /** A function. {@code star} is {@code COUNT(*)}. */
    record Call(
            String name,
            List<Expr> args,
            boolean star,
            boolean distinct,
            @Nullable Expr filter,
            @Nullable Over over,
            Place place)
            implements Expr {}

    /** A call of a user-defined function, which is looked up when it is called. */
    record UserCall(List<String> path, List<Expr> args, Place place) implements Expr {

        @Override
        public String toString() {
            return String.join(".", path);
        }
    }

    /** NEXTVAL of a sequence, or PREVVAL. */
    record SequenceValue(List<String> path, boolean next, Place place) implements Expr {

        @Override
        public String toString() {
            return (next ? "nextval" : "prevval") + " for " + String.join(".", path);
        }
    }

    /** The window after OVER. */
    record Over(
            @Nullable String window,
            List<Expr> partition,
            List<SortTerm> order,
            @Nullable Frame frame,
            boolean fromLast,
            boolean ignoreNulls) {}

    record Frame(Unit unit, Bound from, Bound to, Exclusion exclusion) {

        public enum Unit {
            ROWS,
            RANGE,
            GROUPS
        }

        public enum Exclusion {
            NONE,
            CURRENT_ROW,
            GROUP,
            TIES
        }
    }

    record Bound(Kind kind, @Nullable Expr distance) {

        public enum Kind {
            UNBOUNDED_PRECEDING,
            PRECEDING,
            CURRENT_ROW,
            FOLLOWING,
            UNBOUNDED_FOLLOWING
        }
    }

    /** A sort key; {@code nullsFirst} is null if the text does not have NULLS FIRST or LAST. */
    record SortTerm(Expr expr, boolean descending, @Nullable Boolean nullsFirst) {

        public int compare(Value left, Value right) {
            if (nullsFirst != null && left.isUnknown() != right.isUnknown()) {
                return left.isUnknown() == nullsFirst ? -1 : 1;
            }
            return descending ? right.compareTo(left) : left.compareTo(right);
        }
    }

    record ArrayLiteral(List<Expr> items) implements Expr {}

    record ObjectLiteral(List<Member> members) implements Expr {}

    record Member(Expr name, Expr value) {}

    record Case(
            @Nullable Expr operand,
            List<When> whens,
            @Nullable Expr otherwise) implements Expr {}

    record When(Expr condition, Expr result) {}

    record Quantified(Quantifier quantifier, List<Binding> bindings, Expr satisfies) implements Expr {

        public enum Quantifier {
            ANY,
            EVERY,
            ANY_AND_EVERY
        }
    }

    /** Each level of bindings is one FOR; only OBJECT has a {@code name}. */
    record Comprehension(
            Kind kind,
            @Nullable Expr name,
            Expr value,
            List<List<Binding>> levels,
            @Nullable Expr when) implements Expr {

        public enum Kind {
            ARRAY,
            FIRST,
            OBJECT
        }
    }

    /** {@code v IN source} or {@code k:v IN source}; the slots are set when names are resolved. */
    record Binding(
            @Nullable String key, String variable, boolean within, Expr source, int keySlot, int slot, Place place) {}

    record Subquery(Query query) implements Expr {}

    /** Returns the operands of a chain of ANDs, or an empty list for null. */
    static List<Expr> conjuncts(@Nullable Expr expr) {
        if (expr instanceof Operation operation && operation.op() == Op.AND) {
            return operation.args().stream()
                    .flatMap(arg -> conjuncts(arg).stream())
                    .toList();
        }
        return expr == null ? List.of() : List.of(expr);
    }

    /** Returns the condition that all of some hold, or null for none of them: the opposite of {@link #conjuncts}. */
    static @Nullable Expr and(List<Expr> conditions) {
        return switch (conditions.size()) {
            case 0 -> null;
            case 1 -> conditions.getFirst();
            default -> new Operation(Op.AND, conditions, Place.NONE);
        };
    }

    /** Operators. */
    enum Op {
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
}
