package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operators that provide rows. */
public final class Sources {

    private Sources() {}

    /** Provides one row, for queries without FROM. */
    public static final class DummyScan implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            return new Cursor<>() {
                private boolean done;

                @Override
                public @Nullable Frame next() {
                    if (done) {
                        return null;
                    }
                    done = true;
                    return row.copy();
                }

                @Override
                public boolean ready() {
                    return true;
                }
            };
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("DummyScan");
        }
    }

    /**
     * Documents by keys that an expression gives.
     *
     * @param distinct whether a key that occurs twice gives one row
     */
    record KeyScan(KeyspaceRef ref, KeyspaceSlots slots, Eval keys, boolean distinct, boolean validate, String text)
            implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            Execution execution = row.execution();
            Keyspace keyspace = ref.open(execution, Need.SELECT);
            List<String> wanted = keysOf(keys.eval(row), execution);
            List<String> read = distinct ? new ArrayList<>(new LinkedHashSet<>(wanted)) : wanted;
            DocumentReader reader = new DocumentReader(
                    keyspace, DocumentReader.of(read), execution, Math.max(1, read.size()), validate);
            return DocumentReader.rows(reader, row, keyspace, slots);
        }

        @Override
        public double reads(Frame row) {
            return rowCount(row) * DOCUMENT;
        }

        @Override
        public double rowCount(Frame row) {
            return keysOf(keys.eval(row), row.execution()).size();
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("KeyScan")
                    .with("keyspace", ref.toString())
                    .with("as", slots.alias())
                    .with("keys", text)
                    .expecting(known(row), known(row) * DOCUMENT);
        }

        /** The number of keys, unless they depend on a row of another scan or on a parameter without a value. */
        private double known(Frame row) {
            try {
                double rows = rowCount(row);
                return rows == 0 ? Double.NaN : rows;
            } catch (QueryException e) {
                return Double.NaN;
            }
        }
    }

    /** Returns one key or an array of keys; values that are not strings are reported and skipped. */
    static List<String> keysOf(Value value, Execution execution) {
        List<String> keys = new ArrayList<>();
        for (Value item : value instanceof ArrayValue array ? array : ArrayValue.of(value)) {
            if (item instanceof StringValue text) {
                keys.add(text.text());
            } else if (!item.isUnknown()) {
                execution.warn(
                        ErrorCode.INVALID_KEY_WARNING,
                        "Key must be a string: " + item + " (type "
                                + item.type().label() + ")");
            }
        }
        return keys;
    }

    /**
     * Each element of an array, or the one value that an expression gives.
     *
     * @param shared whether the run holds the value for longer than the rows
     */
    record ExpressionScan(Eval expr, int slot, boolean shared, String alias, String text) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            Value value = expr.eval(row);
            Iterator<Value> items = value instanceof ArrayValue array
                    ? array.iterator()
                    : value.isMissing()
                            ? List.<Value>of().iterator()
                            : List.of(value).iterator();
            return items(items, row, slot, shared);
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("ExpressionScan").with("expr", text).with("alias", alias);
        }
    }

    /** A parameter: a text names a keyspace, an array has the documents themselves, and an object is one. */
    record ParameterScan(Expr.Param parameter, Operator keyspace, KeyspaceSlots slots) implements Operator {

        /** Returns the documents, or null if the parameter does not have them. */
        static @Nullable ArrayValue values(Expr.Param parameter, Frame row) {
            return switch (row.execution().parameter(parameter.name())) {
                case ArrayValue array -> array;
                case ObjectValue object -> ArrayValue.of(object);
                default -> null;
            };
        }

        @Override
        public Cursor<Frame> open(Frame row) {
            ArrayValue values = values(parameter, row);
            return values == null ? keyspace.open(row) : items(values.iterator(), row, slots.value(), false);
        }

        @Override
        public double reads(Frame row) {
            ArrayValue values = values(parameter, row);
            return values == null ? keyspace.reads(row) : values.size();
        }

        @Override
        public double rowCount(Frame row) {
            ArrayValue values = values(parameter, row);
            return values == null ? keyspace.rowCount(row) : values.size();
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("ParameterScan")
                    .with("as", slots.alias())
                    .with("parameter", "$" + parameter.name())
                    .along(row, keyspace);
        }
    }

    private static Cursor<Frame> items(Iterator<Value> items, Frame row, int slot, boolean shared) {
        return new Cursor<>() {
            @Override
            public @Nullable Frame next() {
                if (!items.hasNext()) {
                    return null;
                }
                Frame next = row.copy();
                if (shared) {
                    next.share(slot, items.next());
                } else {
                    next.set(slot, items.next());
                }
                row.execution().step();
                return next;
            }

            @Override
            public boolean ready() {
                return true;
            }
        };
    }

    /** Rows with a result of a query in a slot. */
    public static Cursor<Frame> rows(QueryPlan query, int slot, Frame row) {
        Cursor<Value> values = query.open(row);
        return new Cursor<>() {
            @Override
            public @Nullable Frame next() {
                Value value = values.next();
                if (value == null) {
                    return null;
                }
                Frame next = row.copy();
                next.set(slot, value);
                return next;
            }

            @Override
            public boolean ready() {
                return values.ready();
            }

            @Override
            public void close() {
                values.close();
            }
        };
    }

    /** The rows of a query. */
    record SubqueryScan(QueryPlan query, int slot, String alias) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            return rows(query, slot, row);
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("Alias").with("as", alias).with("~child", query.explain(row));
        }
    }

    /** Rows of a table of the engine itself, such as {@code system:prepareds}. */
    public record SystemScan(String name, SystemTables tables, KeyspaceSlots slots) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            Iterator<SystemTables.Entry> entries =
                    tables.rows(name, row.execution()).iterator();
            return new Cursor<>() {
                @Override
                public @Nullable Frame next() {
                    if (!entries.hasNext()) {
                        return null;
                    }
                    SystemTables.Entry entry = entries.next();
                    Frame next = row.copy();
                    next.set(slots.value(), entry.value());
                    next.set(slots.meta(), ObjectValue.of("id", Value.of(entry.key())));
                    return next;
                }
            };
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("PrimaryScan").with("keyspace", name).with("namespace", "system");
        }
    }
}
