package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.from.FromPlanner;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Several MIN, MAX and COUNT(*) of a query without groups: each MIN and MAX is the first row of an index in its order. If one
 * of them has no such index in this run, rows are grouped.
 *
 * @param counts the slots of COUNT(*)
 */
record Extremes(List<Extreme> extremes, int[] counts, FromPlanner.Counter counter, Operator grouped)
        implements Operator {

    /** @param rows whose first one has the value, if they are in order */
    record Extreme(Operator rows, Eval value, int slot) {}

    @Override
    public Cursor<Frame> open(Frame row) {
        Frame result = row.copy();
        for (Extreme extreme : extremes) {
            Value found = first(extreme, row);
            if (found == null) {
                return grouped.open(row);
            }
            result.set(extreme.slot(), found);
        }
        if (counts.length > 0) {
            Optional<Long> count = counter.count(row);
            if (count.isEmpty()) {
                return grouped.open(row);
            }
            for (int slot : counts) {
                result.set(slot, Value.of(count.get()));
            }
        }
        var left = List.of(result).iterator();
        return () -> left.hasNext() ? left.next() : null;
    }

    /** Returns the value, NULL without rows, or null if the rows are in no order. */
    private static @Nullable Value first(Extreme extreme, Frame row) {
        try (Cursor<Frame> rows = extreme.rows().open(row)) {
            if (!rows.ordered()) {
                return null;
            }
            Frame first = rows.next();
            return first == null ? Value.NULL : extreme.value().eval(first);
        }
    }

    @Override
    public Explanation explain(Frame row) {
        return extremes.stream().allMatch(extreme -> extreme.rows().explain(row).isInOrder())
                ? new Explanation("IndexExtremes")
                        .over(row, extremes.stream().map(Extreme::rows).toArray(Operator[]::new))
                : grouped.explain(row);
    }
}
