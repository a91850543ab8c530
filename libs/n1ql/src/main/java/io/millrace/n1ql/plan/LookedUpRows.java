package io.millrace.n1ql.plan;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.spill.RowSizes;
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
 * What a run knows of the rows of a {@link LookedUpSubquery}. Each value is looked up once, by running the subquery, until
 * that has cost as much as reading the rows of all values; then these are read, once. So whether to look up by index or by
 * hash table is decided by what has been spent, and the cost is at most twice that of the better way. EXISTS reads them
 * only up to a row of the value that is asked for.
 */
final class LookedUpRows {

    /** Beyond this number, equality of integers and doubles is not transitive, so values do not form groups. */
    private static final double LARGEST_EXACT = 0x1p53;

    private static final long ENTRY_BYTES = 96;

    private enum Way {
        LOOKING_UP,
        READING,
        /** The table has all rows. */
        READ,
        /** All rows fill the work memory. */
        TOO_MANY
    }

    private final LookedUpSubquery subquery;
    /** What reading the rows of all values costs. */
    private final double limit;

    private final Map<List<Value>, List<Value>> table = new HashMap<>();
    private final HeldBytes held;
    /** The rows of the last look-up that the table does not have. */
    private final HeldBytes last;

    private final Runnable ending = this::close;

    private Way way = Way.LOOKING_UP;
    private double spent;
    private @Nullable Cursor<Value> reading;

    LookedUpRows(LookedUpSubquery subquery, Frame frame) {
        this.subquery = subquery;
        this.limit = subquery.all().reads(frame);
        this.held = new HeldBytes(frame.execution());
        this.last = new HeldBytes(frame.execution());
        double first = subquery.perRow().reads(frame);
        if (Double.isFinite(limit) && first >= limit) {
            read(frame);
        } else {
            spent = Double.isFinite(first) ? first : 0;
        }
    }

    /** Returns the rows for these values, or some of them if only their existence is wanted. */
    List<Value> of(List<Value> wanted, Frame frame) {
        if (!wanted.stream().allMatch(LookedUpRows::formsGroups)) {
            return perRow(frame);
        }
        if (way == Way.LOOKING_UP && spent > 0 && spent >= limit) {
            read(frame);
        }
        return switch (way) {
            case LOOKING_UP -> lookedUp(wanted, frame);
            case READING, READ -> fromTable(wanted, frame);
            case TOO_MANY -> perRow(frame);
        };
    }

    /** Equality of arrays and objects may be unknown because of an element. */
    private static boolean formsGroups(Value value) {
        return !value.isUnknown()
                && !value.isArray()
                && !value.isObject()
                && !(value instanceof NumberValue number && !(Math.abs(number.doubleValue()) < LARGEST_EXACT));
    }

    // ---- one value

    private List<Value> lookedUp(List<Value> wanted, Frame frame) {
        List<Value> known = table.get(wanted);
        if (known != null) {
            return known;
        }
        List<Value> rows;
        try {
            rows = perRow(frame);
        } catch (QueryException e) {
            // a scan for each row is refused; one for all rows is not
            if (e.errorCode() != ErrorCode.SUBQUERY_NEEDS_INDEX) {
                throw e;
            }
            read(frame);
            return fromTable(wanted, frame);
        }
        if (held.bytes() < frame.execution().memory().workBytes()) {
            List<Value> kept = rows.stream().map(ValueBytes::alone).toList();
            hold(wanted, kept);
            last.close();
            return kept;
        }
        return rows;
    }

    private List<Value> perRow(Frame frame) {
        List<Value> rows = new ArrayList<>();
        last.close();
        try (Cursor<Value> cursor = subquery.perRow().open(frame)) {
            for (Value row = cursor.next(); row != null; row = subquery.exists() ? null : cursor.next()) {
                last.add(RowSizes.of(row));
                rows.add(row);
            }
        }
        spent += Operator.LOOKUP + Operator.DOCUMENT * Math.max(1, rows.size());
        return rows;
    }

    private void hold(List<Value> values, List<Value> rows) {
        table.put(values.stream().map(ValueBytes::alone).toList(), rows);
        held.add(ENTRY_BYTES + RowSizes.of(values.toArray(new Value[0])));
        rows.forEach(row -> held.add(ValueBytes.size(row)));
    }

    // ---- all values

    private void read(Frame frame) {
        Execution execution = frame.execution();
        forget();
        Cursor<Value> opened = subquery.all().open(frame);
        reading = opened;
        execution.closeAtEnd(ending);
        way = Way.READING;
    }

    private void close() {
        Cursor<Value> opened = reading;
        reading = null;
        if (opened != null) {
            opened.close();
        }
    }

    private void forget() {
        table.clear();
        held.close();
    }

    private List<Value> fromTable(List<Value> wanted, Frame frame) {
        // a statement that changes documents must not see its own changes in the rest of the rows
        boolean endsEarly = subquery.exists() && !frame.execution().isChanging();
        while (way == Way.READING && !(endsEarly && table.containsKey(wanted))) {
            readNext(frame.execution());
        }
        return way == Way.TOO_MANY ? perRow(frame) : table.getOrDefault(wanted, List.of());
    }

    private void readNext(Execution execution) {
        Value next = reading == null ? null : reading.next();
        if (next == null) {
            end(Way.READ, execution);
            return;
        }
        int names = subquery.outer().length;
        List<Value> values = ((ArrayValue) next).items();
        List<Value> name = values.subList(0, names);
        if (!name.stream().allMatch(LookedUpRows::formsGroups)) {
            return; // equals nothing that is looked up here
        }
        List<Value> rows = table.get(name);
        if (rows == null) {
            rows = new ArrayList<>(1);
            hold(name, rows);
        }
        if (!subquery.exists() || rows.isEmpty()) {
            Value row = subquery.exists() ? Value.TRUE : ValueBytes.alone(values.get(names));
            rows.add(row);
            held.add(ValueBytes.size(row));
        }
        if (held.bytes() > execution.memory().workBytes()) {
            forget();
            end(Way.TOO_MANY, execution);
        }
    }

    private void end(Way next, Execution execution) {
        way = next;
        close();
        execution.closed(ending);
    }
}
