package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Query.SetOperation;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** UNION, INTERSECT and EXCEPT. Rows of the left side come first, each side in its own order. */
record SetOperations(SetOperation operation, boolean all, QueryPlan left, QueryPlan right) implements QueryPlan {

    @Override
    public Cursor<Value> open(Frame outer) {
        Cursor<Value> rows = operation == SetOperation.UNION ? new Union(outer) : new Matched(outer);
        return all ? rows : new Distinct(rows);
    }

    @Override
    public Value explain(Frame outer) {
        Map<String, Value> fields = new LinkedHashMap<>();
        String name = operation.name().charAt(0) + operation.name().substring(1).toLowerCase(Locale.ROOT);
        fields.put("#operator", Value.of(all ? name + "All" : name));
        fields.put("~child", left.explain(outer));
        fields.put("~child2", right.explain(outer));
        return ObjectValue.of(fields);
    }

    private final class Union implements Cursor<Value> {

        private final Frame outer;
        private Cursor<Value> open;
        private boolean second;

        Union(Frame outer) {
            this.outer = outer;
            this.open = left.open(outer);
        }

        @Override
        public @Nullable Value next() {
            Value value = open.next();
            if (value == null && !second) {
                second = true;
                open.close();
                open = right.open(outer);
                value = open.next();
            }
            return value;
        }

        @Override
        public void close() {
            open.close();
        }
    }

    /** Keeps or drops left rows that the right side has; with ALL, each right row matches one left row. */
    private final class Matched implements Cursor<Value> {

        private final Frame outer;
        private final Cursor<Value> lefts;
        private @Nullable Map<Value, Integer> rights;

        Matched(Frame outer) {
            this.outer = outer;
            this.lefts = left.open(outer);
        }

        @Override
        public @Nullable Value next() {
            Map<Value, Integer> counts = rights;
            if (counts == null) {
                counts = count(outer);
                rights = counts;
            }
            for (Value value = lefts.next(); value != null; value = lefts.next()) {
                int count = counts.getOrDefault(value, 0);
                if (all && count > 0) {
                    counts.put(value, count - 1);
                }
                if (count > 0 == (operation == SetOperation.INTERSECT)) {
                    return value;
                }
            }
            return null;
        }

        private Map<Value, Integer> count(Frame row) {
            Map<Value, Integer> counts = new HashMap<>();
            Execution execution = row.execution();
            try (Cursor<Value> values = right.open(row)) {
                for (Value value = values.next(); value != null; value = values.next()) {
                    execution.step();
                    counts.merge(value, 1, Integer::sum);
                }
            }
            return counts;
        }

        @Override
        public void close() {
            lefts.close();
        }
    }

    private static final class Distinct implements Cursor<Value> {

        private final Cursor<Value> input;
        private final Set<Value> known = new HashSet<>();

        Distinct(Cursor<Value> input) {
            this.input = input;
        }

        @Override
        public @Nullable Value next() {
            for (Value value = input.next(); value != null; value = input.next()) {
                if (known.add(value)) {
                    return value;
                }
            }
            return null;
        }

        @Override
        public void close() {
            input.close();
        }
    }
}
