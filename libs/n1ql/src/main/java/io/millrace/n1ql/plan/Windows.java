package io.millrace.n1ql.plan;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.Query.Computed;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Window functions. All rows are collected and sorted by the partition and order of each window; they are returned in
 * the order of the last window.
 */
record Windows(Operator input, List<Call> calls) implements Operator {

    /** A compiled window function. */
    record Call(
            Computed computed,
            Eval[] args,
            @Nullable Eval filter,
            Eval[] partition,
            RowOrder order,
            WindowFrame frame) {

        boolean sortsLike(Call other) {
            Expr.Over mine = over();
            Expr.Over theirs = other.over();
            return mine.partition().equals(theirs.partition()) && mine.order().equals(theirs.order());
        }

        Expr.Over over() {
            Expr.Over over = computed.call().over();
            if (over == null) {
                throw new IllegalStateException("no window: " + computed);
            }
            return over;
        }
    }

    static Operator plan(Operator input, List<Computed> computed, ExprCompiler compiler) {
        List<Call> calls = new ArrayList<>();
        for (Computed one : computed) {
            Expr.Over over = one.call().over();
            if (over == null) {
                throw new IllegalStateException("no window: " + one);
            }
            calls.add(new Call(
                    one,
                    one.call().star() ? new Eval[0] : compiler.all(one.call().args()),
                    compiler.optional(one.call().filter()),
                    compiler.all(over.partition()),
                    RowOrder.of(over.order(), compiler),
                    WindowFrame.of(over.frame(), !over.order().isEmpty(), compiler)));
        }
        return new Windows(input, calls);
    }

    /** What a row of a sort holds besides its values, most of which are in the row. */
    private static final long SORTED_BYTES = 128;

    /** A row with its sort keys. */
    record Sorted(Frame row, Value[] partition, Value[] order) {}

    @Override
    public Cursor<Frame> open(Frame row) {
        return new Cursor<>() {
            private final HeldBytes held = new HeldBytes(row.execution());
            private @Nullable Iterator<Frame> rows;

            @Override
            public @Nullable Frame next() {
                Iterator<Frame> left = rows;
                if (left == null) {
                    left = compute(row, held);
                    rows = left;
                }
                return left.hasNext() ? left.next() : null;
            }

            @Override
            public boolean ready() {
                return rows != null;
            }

            @Override
            public void close() {
                held.close();
            }
        };
    }

    private Iterator<Frame> compute(Frame row, HeldBytes held) {
        List<Frame> rows = new ArrayList<>();
        try (Cursor<Frame> cursor = input.open(row)) {
            for (Frame next = cursor.next(); next != null; next = cursor.next()) {
                held.add(RowSizes.besides(rows.isEmpty() ? null : rows.getLast(), next));
                rows.add(next);
            }
        }
        List<Sorted> sorted = List.of();
        Call before = null;
        for (Call call : calls) {
            if (before == null || !call.sortsLike(before)) {
                sorted = sort(rows, call, held);
                rows = sorted.stream().map(Sorted::row).toList();
            }
            before = call;
            for (int start = 0; start < sorted.size(); ) {
                int end = start + 1;
                while (end < sorted.size() && samePartition(sorted.get(start), sorted.get(end))) {
                    end++;
                }
                new WindowPartition(call, sorted.subList(start, end), held).compute();
                start = end;
            }
        }
        return rows.iterator();
    }

    private static List<Sorted> sort(List<Frame> rows, Call call, HeldBytes held) {
        List<Sorted> sorted = new ArrayList<>(rows.size());
        for (Frame row : rows) {
            row.execution().step();
            Value[] partition = new Value[call.partition().length];
            for (int i = 0; i < partition.length; i++) {
                partition[i] = call.partition()[i].eval(row);
            }
            held.add(SORTED_BYTES);
            sorted.add(new Sorted(row, partition, call.order().keysOf(row)));
        }
        sorted.sort(Comparator.<Sorted, Value[]>comparing(Sorted::partition, Arrays::compare)
                .thenComparing(Sorted::order, call.order()));
        return sorted;
    }

    private static boolean samePartition(Sorted left, Sorted right) {
        return Arrays.compare(left.partition(), right.partition()) == 0;
    }

    @Override
    public Explanation explain(Frame row) {
        return new Explanation("WindowAggregate")
                .withAll(
                        "aggregates",
                        calls.stream()
                                .map(call -> ExprText.of(call.computed().call()))
                                .toList())
                .over(row, input);
    }
}
