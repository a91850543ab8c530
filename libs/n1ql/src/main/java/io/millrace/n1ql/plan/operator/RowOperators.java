package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Query.JoinKind;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operators that process one row at a time. */
public final class RowOperators {

    private RowOperators() {}

    public record Filter(Operator input, Eval condition, String text) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            return new FilterCursor(input.open(row), condition);
        }

        @Override
        public double reads(Frame row) {
            return input.reads(row);
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("Filter").with("condition", text).along(row, input);
        }
    }

    public static final class FilterCursor implements Cursor<Frame> {

        private final Cursor<Frame> input;
        private final Eval condition;
        private @Nullable Frame found;
        private boolean ended;

        public FilterCursor(Cursor<Frame> input, Eval condition) {
            this.input = input;
            this.condition = condition;
        }

        @Override
        public @Nullable Frame next() {
            Frame kept = found;
            found = null;
            if (kept != null || ended) {
                return kept;
            }
            for (Frame row = input.next(); row != null; row = input.next()) {
                if (passes(row)) {
                    return row;
                }
            }
            return null;
        }

        /** Looks ahead as long as the input does not wait. */
        @Override
        public boolean ready() {
            while (found == null && !ended && input.ready()) {
                Frame row = input.next();
                ended = row == null;
                if (row != null && passes(row)) {
                    found = row;
                }
            }
            return found != null || ended;
        }

        @Override
        public boolean ordered() {
            return input.ordered();
        }

        private boolean passes(Frame row) {
            row.execution().step();
            return condition.eval(row).truth();
        }

        @Override
        public void close() {
            input.close();
        }
    }

    /** Computes expressions into slots of the row. */
    public record Let(Operator input, int[] slots, Eval[] values, List<String> texts) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            return new ForwardingCursor<>(input.open(row)) {
                @Override
                public @Nullable Frame next() {
                    Frame next = super.next();
                    if (next != null) {
                        for (int i = 0; i < slots.length; i++) {
                            next.set(slots[i], values[i].eval(next));
                        }
                    }
                    return next;
                }
            };
        }

        @Override
        public double reads(Frame row) {
            return input.reads(row);
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("Let").withAll("bindings", texts).along(row, input);
        }
    }

    /** Returns a row for each element of an array, with its position. */
    public record Unnest(
            Operator input, Eval expr, int slot, int positionSlot, JoinKind kind, String alias, String text)
            implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            Cursor<Frame> rows = input.open(row);
            return new Cursor<>() {
                private @Nullable Frame current;
                private Iterator<Value> items = List.<Value>of().iterator();
                private long position;

                @Override
                public @Nullable Frame next() {
                    while (true) {
                        Frame from = current;
                        if (from != null && items.hasNext()) {
                            Frame next = from.copy();
                            next.set(slot, items.next());
                            next.set(positionSlot, Value.of(position++));
                            from.execution().step();
                            return next;
                        }
                        Frame next = rows.next();
                        current = next;
                        if (next == null) {
                            return null;
                        }
                        Value value = expr.eval(next);
                        position = 0;
                        boolean empty = !(value instanceof ArrayValue array)
                                || array.items().isEmpty();
                        if (empty && kind == JoinKind.LEFT) {
                            current = null;
                            return next;
                        }
                        items = value instanceof ArrayValue array
                                ? array.iterator()
                                : List.<Value>of().iterator();
                    }
                }

                @Override
                public boolean ordered() {
                    return rows.ordered();
                }

                @Override
                public void close() {
                    rows.close();
                }
            };
        }

        @Override
        public double reads(Frame row) {
            return input.reads(row);
        }

        @Override
        public Explanation explain(Frame row) {
            Explanation child = input.explain(row);
            return new Explanation("Unnest")
                    .with("as", alias)
                    .with("expr", text)
                    .with("outer", Value.of(kind == JoinKind.LEFT))
                    .over(child)
                    .inOrder(child.isInOrder());
        }
    }

    /** Returns how many rows a LIMIT allows: all without a LIMIT, 0 if it is negative. */
    public static long limit(@Nullable Eval limit, Frame row) {
        return limit == null ? Long.MAX_VALUE : count("LIMIT", limit.eval(row));
    }

    /** Returns how many rows an OFFSET skips: 0 without an OFFSET or if it is negative. */
    public static long offset(@Nullable Eval offset, Frame row) {
        return offset == null ? 0 : count("OFFSET", offset.eval(row));
    }

    private static long count(String clause, Value value) {
        if (value instanceof NumberValue number && number.isWhole()) {
            return Math.max(0, number.longValue());
        }
        throw QueryException.of(
                ErrorCode.EVALUATION,
                "Invalid %s value %s: it must be a whole number.".formatted(clause, value.toJson()));
    }

    public static <T> Cursor<T> page(Cursor<T> input, long offset, long limit) {
        return new Cursor<>() {
            private long skipped;
            private long given;

            @Override
            public @Nullable T next() {
                if (given >= limit) {
                    return null;
                }
                while (skipped < offset) {
                    skipped++;
                    if (input.next() == null) {
                        given = limit;
                        return null;
                    }
                }
                given++;
                T item = input.next();
                if (given >= limit) {
                    // what is under way will not be asked for
                    input.close();
                }
                return item;
            }

            @Override
            public boolean ready() {
                return given >= limit || skipped >= offset && input.ready();
            }

            @Override
            public void close() {
                input.close();
            }
        };
    }

    /** OFFSET and LIMIT: as soon as enough rows are out, the input is closed. */
    public record Page(
            Operator input, @Nullable Eval offset, @Nullable Eval limit) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            return page(input.open(row), RowOperators.offset(offset, row), RowOperators.limit(limit, row));
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation(limit == null ? "Offset" : "Limit").over(row, input);
        }
    }
}
