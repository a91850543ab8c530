package io.millrace.n1ql.plan;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.plan.from.FromPlanner;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import java.util.List;
import java.util.Optional;

/** COUNT(*) of a keyspace: an index counts its entries, without reading them; if none can, rows are counted. */
record CountScan(FromPlanner.Counter counter, Operator grouped, int[] slots) implements Operator {

    @Override
    public Cursor<Frame> open(Frame row) {
        Optional<Long> count = counter.count(row);
        if (count.isEmpty()) {
            return grouped.open(row);
        }
        Frame result = row.copy();
        for (int slot : slots) {
            result.set(slot, Value.of(count.get()));
        }
        var left = List.of(result).iterator();
        return () -> left.hasNext() ? left.next() : null;
    }

    @Override
    public Explanation explain(Frame row) {
        Explanation shown = new Explanation("IndexCountScan");
        return (isCounted(row) ? shown.expecting(1, 1) : shown).over(row, grouped);
    }

    private boolean isCounted(Frame row) {
        try {
            return counter.count(row).isPresent();
        } catch (QueryException e) {
            return false; // a parameter has no value, or the user may not read the documents
        }
    }
}
