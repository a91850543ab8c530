package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY. With a limit, only that many rows are kept. The sort is stable.
 */
record Sort(
        Operator input,
        Term[] terms,
        @Nullable Eval offset,
        @Nullable Eval limit,
        List<String> texts) implements Operator {

    /** With a larger limit, sorting all rows is cheaper than a heap of the first ones. */
    private static final long LARGEST_HEAP = 10_000;

    record Term(Eval key, boolean descending, @Nullable Boolean nullsFirst) {

        int compare(Value left, Value right) {
            if (nullsFirst != null && left.isUnknown() != right.isUnknown()) {
                return left.isUnknown() == nullsFirst ? -1 : 1;
            }
            return descending ? right.compareTo(left) : left.compareTo(right);
        }
    }

    private record Keyed(Frame row, Value[] keys, long number) {}

    static int compare(Term[] terms, Value[] left, Value[] right) {
        for (int i = 0; i < terms.length; i++) {
            int order = terms[i].compare(left[i], right[i]);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    static Value[] keys(Term[] terms, Frame row) {
        Value[] keys = new Value[terms.length];
        for (int i = 0; i < terms.length; i++) {
            keys[i] = terms[i].key().eval(row);
        }
        return keys;
    }

    private int compare(Keyed left, Keyed right) {
        int order = compare(terms, left.keys(), right.keys());
        return order != 0 ? order : Long.compare(left.number(), right.number());
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        long skip = RowOperators.offset(offset, row);
        long wanted = RowOperators.limit(limit, row);
        return new Cursor<>() {
            private @Nullable Iterator<Keyed> sorted;

            @Override
            public @Nullable Frame next() {
                Iterator<Keyed> rows = sorted;
                if (rows == null) {
                    rows = wanted == 0 ? List.<Keyed>of().iterator() : sort(row, saturated(skip, wanted));
                    sorted = rows;
                }
                return rows.hasNext() ? rows.next().row() : null;
            }

            @Override
            public boolean ready() {
                return sorted != null;
            }
        };
    }

    private static long saturated(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    private Iterator<Keyed> sort(Frame row, long kept) {
        Comparator<Keyed> order = this::compare;
        boolean heap = kept <= LARGEST_HEAP;
        List<Keyed> all = new ArrayList<>();
        PriorityQueue<Keyed> worstFirst = new PriorityQueue<>(order.reversed());
        long number = 0;
        try (Cursor<Frame> rows = input.open(row)) {
            for (Frame next = rows.next(); next != null; next = rows.next()) {
                Keyed keyed = new Keyed(next, keys(terms, next), number++);
                if (!heap) {
                    all.add(keyed);
                } else if (worstFirst.size() < kept) {
                    worstFirst.add(keyed);
                } else {
                    Keyed worst = worstFirst.peek();
                    if (worst != null && order.compare(keyed, worst) < 0) {
                        worstFirst.poll();
                        worstFirst.add(keyed);
                    }
                }
            }
        }
        row.execution().countSorted(number);
        row.execution().check();
        if (heap) {
            all.addAll(worstFirst);
        }
        all.sort(order);
        return all.iterator();
    }

    @Override
    public Explanation explain() {
        return new Explanation("Order").withAll("sort_terms", texts).over(input);
    }
}
