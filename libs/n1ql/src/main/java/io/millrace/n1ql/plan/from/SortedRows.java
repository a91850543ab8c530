package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator.Explanation;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Left rows of a join, sorted by what the query is sorted by, so that a LIMIT ends the join with its first rows. All are read at
 * once; if they do not fit into memory, they come as they were.
 */
final class SortedRows implements Cursor<Frame> {

    /** More rows are not sorted. */
    static final long MOST = 10_000;

    /** What a query is sorted by, as far as a left row tells it. */
    record By(Eval[] keys, List<SortTerm> terms) {

        private Value[] of(Frame row) {
            Value[] values = new Value[keys.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = keys[i].eval(row);
            }
            return values;
        }

        private int compare(Keyed left, Keyed right) {
            for (int i = 0; i < keys.length; i++) {
                int order = terms.get(i).compare(left.keys()[i], right.keys()[i]);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        Explanation explain(Explanation rows) {
            List<String> texts = terms.stream()
                    .map(term -> ExprText.of(term.expr()) + (term.descending() ? " desc" : ""))
                    .toList();
            return new Explanation("Order")
                    .withAll("sort_terms", texts)
                    .expecting(rows.rows(), rows.cost())
                    .over(rows)
                    .inOrder(true);
        }
    }

    private record Keyed(Frame row, Value[] keys) {}

    private final Cursor<Frame> rows;
    private final Iterator<Keyed> read;
    private final HeldBytes held;
    private final boolean sorted;

    SortedRows(Cursor<Frame> rows, By by, Execution execution) {
        this.rows = rows;
        this.held = new HeldBytes(execution);
        List<Keyed> all = new ArrayList<>();
        long size = 0;
        boolean ended = false;
        while (!ended && all.size() < MOST && size <= execution.memory().workBytes()) {
            Frame row = rows.next();
            ended = row == null;
            if (row != null) {
                Value[] keys = by.of(row);
                long more = RowSizes.of(row) + RowSizes.of(keys);
                size += more;
                held.add(more);
                all.add(new Keyed(row, keys));
            }
        }
        if (ended) {
            all.sort(by::compare);
        }
        this.sorted = ended;
        this.read = all.iterator();
    }

    @Override
    public @Nullable Frame next() {
        if (read.hasNext()) {
            return read.next().row();
        }
        return sorted ? null : rows.next();
    }

    @Override
    public boolean ordered() {
        return sorted;
    }

    @Override
    public void close() {
        rows.close();
        held.close();
    }
}
