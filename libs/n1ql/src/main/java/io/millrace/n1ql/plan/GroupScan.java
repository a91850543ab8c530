package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.index.ScanChoice;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Frame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Groups that an index has side by side, without reading their entries; if that does not pay, rows are grouped.
 *
 * @param otherwise groups, or rows for DISTINCT
 */
record GroupScan(ScanChoice scan, Operator otherwise, int[] keySlots, int[] aggregateSlots) implements Operator {

    /** Returns one row for each distinct result. */
    static GroupScan distinct(ScanChoice scan, Operator rows) {
        return new GroupScan(scan, rows, new int[0], new int[0]);
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        Optional<List<ScanChoice.Group>> groups = scan.groups(row);
        if (groups.isEmpty()) {
            return otherwise.open(row);
        }
        List<Frame> rows = new ArrayList<>();
        for (ScanChoice.Group group : groups.get()) {
            Frame told = keySlots.length == 0 ? group.row() : row.copy();
            for (int i = 0; i < keySlots.length; i++) {
                told.set(keySlots[i], group.keys().get(i));
            }
            for (int i = 0; i < aggregateSlots.length; i++) {
                told.set(aggregateSlots[i], group.aggregates().get(i));
            }
            rows.add(told);
        }
        Iterator<Frame> left = rows.iterator();
        return () -> left.hasNext() ? left.next() : null;
    }

    @Override
    public Explanation explain(Frame row) {
        return new Explanation("IndexGroupScan").over(row, otherwise);
    }
}
