package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Query.SetOperation;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** UNION, INTERSECT and EXCEPT. Rows of the left side come first, each side in its own order. */
record SetOperations(SetOperation operation, boolean all, QueryPlan left, QueryPlan right) implements QueryPlan {

    @Override
    public Cursor<Value> open(Frame outer) {
        Cursor<Value> rows = operation == SetOperation.UNION ? new Union(outer) : new Matched(outer);
        return all ? rows : once(rows, outer);
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

    /** Returns each of the rows once; they are in files if they are many. */
    private static Cursor<Value> once(Cursor<Value> rows, Frame outer) {
        Frame empty = new Frame(1, outer, outer.execution());
        Cursor<Frame> framed = new Cursor<>() {
            @Override
            public @Nullable Frame next() {
                Value value = rows.next();
                if (value == null) {
                    return null;
                }
                Frame next = empty.blank();
                next.set(0, value);
                return next;
            }

            @Override
            public void close() {
                rows.close();
            }
        };
        return SelectPlanner.results(new DistinctRows(framed, empty, row -> row.get(0), 0, true), row -> row.get(0));
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
        private final HeldBytes held;
        private @Nullable Map<Value, Integer> rights;

        Matched(Frame outer) {
            this.outer = outer;
            this.held = new HeldBytes(outer.execution());
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
                    if (counts.merge(value, 1, Integer::sum) == 1) {
                        held.add(RowSizes.entry(value));
                    }
                }
            }
            return counts;
        }

        @Override
        public void close() {
            lefts.close();
            held.close();
        }
    }
}
