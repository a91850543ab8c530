package io.millrace.n1ql.plan;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An {@link EqualSubquery}: a semi-join when it is the operand of EXISTS or IN, an anti-join under NOT. It runs for each row
 * around it until that has cost as much as reading all of its rows; then they are read once into a table by the values
 * that must be equal. Whether to look up by index or by hash table is so decided by what has been spent.
 *
 * @param perRow the subquery as it is written
 * @param all its rows for all values: see {@link EqualSubquery#query}
 * @param outer the values that are looked up
 * @param exists whether only the existence of rows is wanted
 */
record LookedUpSubquery(QueryPlan perRow, QueryPlan all, Eval[] outer, boolean exists) implements Eval {

    /** What opening the subquery costs besides the documents that it reads, in entries. */
    private static final double LOOKUP = 4;

    /** Beyond this number, equality of integers and doubles is not transitive, so values do not form groups. */
    private static final double LARGEST_EXACT = 0x1p53;

    private static final long ENTRY_BYTES = 96;

    /** What one run has spent, and the table once it is there. */
    private static final class State {

        private final double limit;
        /** The rows of the last look-up; those of the table are held in addition. */
        private final HeldBytes rows;

        private double spent;
        private boolean tooLarge;
        private @Nullable Map<List<Value>, List<Value>> table;

        State(double limit, Execution execution) {
            this.limit = limit;
            this.rows = new HeldBytes(execution);
        }
    }

    @Override
    public Value eval(Frame frame) {
        Execution execution = frame.execution();
        State state =
                (State) execution.memo(this, known -> known == null ? new State(all.reads(frame), execution) : known);
        List<Value> wanted = new ArrayList<>(outer.length);
        for (Eval value : outer) {
            Value one = value.eval(frame);
            if (one.isUnknown()) {
                return result(List.of());
            }
            wanted.add(one);
        }
        if (!wanted.stream().allMatch(LookedUpSubquery::formsGroups)) {
            return result(rows(frame, state));
        }
        if (state.table == null && !state.tooLarge && state.spent > 0 && state.spent >= state.limit) {
            fill(state, frame);
        }
        Map<List<Value>, List<Value>> table = state.table;
        if (table != null) {
            execution.step();
            return result(table.getOrDefault(wanted, List.of()));
        }
        try {
            return result(rows(frame, state));
        } catch (QueryException e) {
            // a scan for each row is refused; one for all rows is not
            if (e.errorCode() != ErrorCode.SUBQUERY_NEEDS_INDEX || state.tooLarge) {
                throw e;
            }
            fill(state, frame);
            if (state.table == null) {
                throw e;
            }
            return result(state.table.getOrDefault(wanted, List.of()));
        }
    }

    private Value result(List<Value> rows) {
        return exists ? Value.of(!rows.isEmpty()) : ArrayValue.of(rows);
    }

    /** Equality of arrays and objects may be unknown because of an element. */
    private static boolean formsGroups(Value value) {
        return !value.isUnknown()
                && !value.isArray()
                && !value.isObject()
                && !(value instanceof NumberValue number && !(Math.abs(number.doubleValue()) < LARGEST_EXACT));
    }

    private List<Value> rows(Frame frame, State state) {
        if (state.spent == 0) {
            // a scan of everything for each row is run once at the most
            double each = perRow.reads(frame);
            state.spent += Double.isInfinite(each) ? 0 : Math.min(state.limit, each);
        }
        List<Value> rows = new ArrayList<>();
        state.rows.close();
        try (Cursor<Value> cursor = perRow.open(frame)) {
            for (Value row = cursor.next(); row != null; row = exists ? null : cursor.next()) {
                state.rows.add(RowSizes.of(row));
                rows.add(row);
            }
        }
        state.spent += LOOKUP + Operator.DOCUMENT * Math.max(1, rows.size());
        return rows;
    }

    /** Reads all rows, unless they fill the work memory: then each row around runs the subquery as before. */
    private void fill(State state, Frame frame) {
        Execution execution = frame.execution();
        Map<List<Value>, List<Value>> table = new HashMap<>();
        HeldBytes held = new HeldBytes(execution);
        try (Cursor<Value> cursor = all.open(frame)) {
            for (Value next = cursor.next(); next != null; next = cursor.next()) {
                List<Value> values = ((ArrayValue) next).items();
                List<Value> name = values.subList(0, outer.length);
                if (!name.stream().allMatch(LookedUpSubquery::formsGroups)) {
                    continue; // equals nothing that is looked up here
                }
                List<Value> rows = table.get(name);
                if (rows == null) {
                    rows = new ArrayList<>(1);
                    table.put(name.stream().map(ValueBytes::alone).toList(), rows);
                    held.add(ENTRY_BYTES + RowSizes.of(name.toArray(new Value[0])));
                }
                if (!exists || rows.isEmpty()) {
                    Value row = exists ? Value.TRUE : ValueBytes.alone(values.get(outer.length));
                    rows.add(row);
                    held.add(ValueBytes.size(row));
                }
                if (held.bytes() > execution.memory().workBytes()) {
                    held.close();
                    state.tooLarge = true;
                    return;
                }
            }
        }
        state.table = table;
    }
}
