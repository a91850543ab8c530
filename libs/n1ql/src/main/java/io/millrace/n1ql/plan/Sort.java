package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY. With a small limit, only that many rows are kept; else the results of all rows, in files if they are many.
 * The sort is stable.
 */
record Sort(
        Operator input,
        RowOrder order,
        @Nullable Eval offset,
        @Nullable Eval limit,
        Late late) implements Operator {

    /** With a larger limit, sorting all rows is cheaper than a heap of the first ones. */
    private static final long LARGEST_HEAP = 10_000;

    /** A row with its keys. */
    private record Keyed(Frame row, Value[] keys, long number, long size) {}

    /**
     * What is left of a row after the sort: its result, in a slot. A row that is kept until then would keep its documents.
     */
    record Late(Eval result, int slot) {

        /** Returns the result of a row before or after the sort. */
        Value of(Frame row) {
            Value known = row.known(slot);
            return known == null ? result.eval(row) : known;
        }
    }

    private int compare(Keyed left, Keyed right) {
        int compared = order.compare(left.keys(), right.keys());
        return compared != 0 ? compared : Long.compare(left.number(), right.number());
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        long skip = RowOperators.offset(offset, row);
        long wanted = RowOperators.limit(limit, row);
        Cursor<Frame> input = this.input.open(row);
        long kept = skip > Long.MAX_VALUE - wanted ? Long.MAX_VALUE : skip + wanted;
        if (input.ordered()) {
            return new Passed(input, row, kept);
        }
        if (wanted == 0) {
            input.close();
            return () -> null;
        }
        return sorted(input, row, kept);
    }

    private Cursor<Frame> sorted(Cursor<Frame> input, Frame row, long kept) {
        return kept <= LARGEST_HEAP ? new First(input, row, kept) : new All(input, row);
    }

    /** Rows in order; when that ends, the rest is sorted. */
    private final class Passed implements Cursor<Frame> {

        private final Cursor<Frame> input;
        private final Frame row;
        private final long kept;
        private long passed;
        private @Nullable Cursor<Frame> rest;

        Passed(Cursor<Frame> input, Frame row, long kept) {
            this.input = input;
            this.row = row;
            this.kept = kept;
        }

        @Override
        public @Nullable Frame next() {
            Cursor<Frame> others = rest;
            if (others == null) {
                Frame next = input.next();
                if (next == null || input.ordered()) {
                    passed++;
                    return next;
                }
                others = sorted(Cursor.before(next, input), row, Math.max(1, kept - passed));
                rest = others;
            }
            return others.next();
        }

        @Override
        public boolean ready() {
            return rest == null ? input.ready() : rest.ready();
        }

        @Override
        public void close() {
            input.close();
            if (rest != null) {
                rest.close();
            }
        }
    }

    /** The first rows; no more are kept. */
    private final class First implements Cursor<Frame> {

        private final Cursor<Frame> input;
        private final Execution execution;
        private final long kept;
        private @Nullable Iterator<Keyed> sorted;
        private long held;

        First(Cursor<Frame> input, Frame row, long kept) {
            this.input = input;
            this.execution = row.execution();
            this.kept = kept;
        }

        @Override
        public @Nullable Frame next() {
            Iterator<Keyed> rows = sorted;
            if (rows == null) {
                rows = sort();
                sorted = rows;
            }
            return rows.hasNext() ? rows.next().row() : null;
        }

        private Iterator<Keyed> sort() {
            Comparator<Keyed> comparator = Sort.this::compare;
            PriorityQueue<Keyed> worstFirst = new PriorityQueue<>(comparator.reversed());
            long number = 0;
            try (Cursor<Frame> rows = input) {
                for (Frame next = rows.next(); next != null; next = rows.next()) {
                    Value[] keys = order.keysOf(next);
                    Keyed keyed = new Keyed(next, keys, number++, 0);
                    Keyed worst = worstFirst.peek();
                    if (worstFirst.size() < kept || worst != null && comparator.compare(keyed, worst) < 0) {
                        add(worstFirst, new Keyed(next, keys, keyed.number(), RowSizes.of(next)));
                    }
                }
            }
            execution.countSorted(number);
            execution.check();
            List<Keyed> all = new ArrayList<>(worstFirst);
            all.sort(comparator);
            return all.iterator();
        }

        private void add(PriorityQueue<Keyed> worstFirst, Keyed keyed) {
            worstFirst.add(keyed);
            long more = keyed.size();
            if (worstFirst.size() > kept) {
                more -= worstFirst.remove().size();
            }
            held += more;
            execution.hold(more);
        }

        @Override
        public boolean ready() {
            return sorted != null;
        }

        @Override
        public void close() {
            input.close();
            execution.hold(-held);
            held = 0;
        }
    }

    /** All rows, of which only the results are kept. */
    private final class All implements Cursor<Frame> {

        private final Cursor<Frame> input;
        private final Frame row;
        private final RowSorter sorter;
        private @Nullable Iterator<Value> sorted;

        All(Cursor<Frame> input, Frame row) {
            this.input = input;
            this.row = row;
            this.sorter = new RowSorter(order, row.execution());
        }

        @Override
        public @Nullable Frame next() {
            Iterator<Value> results = sorted;
            if (results == null) {
                results = sort();
                sorted = results;
            }
            if (!results.hasNext()) {
                return null;
            }
            Frame next = row.copy();
            next.set(late.slot(), results.next());
            return next;
        }

        private Iterator<Value> sort() {
            long number = 0;
            try (Cursor<Frame> rows = input) {
                for (Frame next = rows.next(); next != null; next = rows.next()) {
                    sorter.add(alone(order.keysOf(next)), ValueBytes.alone(late.of(next)));
                    number++;
                }
            }
            row.execution().countSorted(number);
            return sorter.sorted();
        }

        private static Value[] alone(Value[] keys) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = ValueBytes.alone(keys[i]);
            }
            return keys;
        }

        @Override
        public boolean ready() {
            return sorted != null;
        }

        @Override
        public void close() {
            input.close();
            sorter.close();
        }
    }

    @Override
    public Explanation explain(Frame row) {
        Explanation child = input.explain(row);
        return child.isInOrder()
                ? child
                : new Explanation("Order").withAll("sort_terms", order.texts()).over(child);
    }
}
