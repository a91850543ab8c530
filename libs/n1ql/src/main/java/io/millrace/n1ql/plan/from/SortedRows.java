package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator.Explanation;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
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

    private record Keyed(Frame row, Value[] keys) {}

    private final Cursor<Frame> rows;
    private final Iterator<Keyed> read;
    private final HeldBytes held;
    private final boolean sorted;

    /** @param order what a left row tells of it */
    SortedRows(Cursor<Frame> rows, RowOrder order, Execution execution) {
        this.rows = rows;
        this.held = new HeldBytes(execution);
        List<Keyed> all = new ArrayList<>();
        boolean ended = false;
        while (!ended && all.size() < MOST && held.bytes() <= execution.memory().workBytes()) {
            Frame row = rows.next();
            ended = row == null;
            if (row != null) {
                Value[] keys = order.keysOf(row);
                held.add(RowSizes.of(row) + RowSizes.of(keys));
                all.add(new Keyed(row, keys));
            }
        }
        if (ended) {
            all.sort(Comparator.comparing(Keyed::keys, order));
        }
        this.sorted = ended;
        this.read = all.iterator();
    }

    static Explanation explain(Explanation rows, RowOrder order) {
        return new Explanation("Order")
                .withAll("sort_terms", order.texts())
                .expecting(rows.rows(), rows.cost())
                .over(rows)
                .inOrder(true);
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
