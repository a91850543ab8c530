package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.plan.from.Joins.PerLeftRow;
import io.millrace.n1ql.plan.from.Joins.Shape;
import io.millrace.n1ql.plan.index.ScanChoice;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Estimates;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads the matches of a left row by an index of the right side. When that has cost as much as reading all of the right
 * side, it reads the right side for the rest of the left rows; so it costs at most twice the better of the two, however
 * many left rows there are.
 *
 * @param all joins left rows with all of the right side
 * @param mayChange whether the rest of the left rows may be joined so
 * @param ends when the query ends
 * @param order sorts the left rows if the query ends with the first ones in order, else null
 */
record IndexJoin(
        Operator left,
        ScanChoice probe,
        @Nullable Eval on,
        Shape shape,
        String text,
        Rest all,
        boolean mayChange,
        Ends ends,
        @Nullable RowOrder order)
        implements Operator {

    /** When the query ends early, the number of left rows does not matter. */
    enum Ends {
        WITH_ALL_ROWS,
        /** With the first rows if the left rows come in the order of the query. */
        WITH_THE_FIRST_IN_ORDER,
        WITH_ANY_FIRST
    }

    private static final int[] BATCHES = {1, 4, 16};

    /** A join of left rows, which have been opened, with all of the right side. */
    interface Rest extends Operator {

        Cursor<Frame> over(Cursor<Frame> lefts, Frame row);

        /** Returns the right side. */
        Operator right();

        /** Explains the join of left rows that have been explained. */
        Explanation explain(Explanation lefts, Frame row);
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        double limit = mayChange ? all.right().reads(row) : Double.MAX_VALUE;
        Cursor<Frame> lefts = left.open(row);
        boolean mayEnd = endsEarly(lefts.ordered());
        if (isTooMuch(limit, mayEnd, row)) {
            return all.over(lefts, row);
        }
        RowOrder by = lefts.ordered() ? null : order;
        return new Joined(by == null ? lefts : new SortedRows(lefts, by, row.execution()), row, limit, mayEnd);
    }

    private boolean endsEarly(boolean ordered) {
        return ends == Ends.WITH_ANY_FIRST || ends == Ends.WITH_THE_FIRST_IN_ORDER && ordered;
    }

    /** Returns whether looking up every left row costs more than reading the right side, as far as that is known. */
    private boolean isTooMuch(double limit, boolean endsEarly, Frame row) {
        return mayChange && !endsEarly && left.rowCount(row) * (LOOKUP + Operator.DOCUMENT) > limit;
    }

    private final class Joined implements Cursor<Frame> {

        private final Frame row;
        private final Cursor<Frame> lefts;
        private final Probes probes;
        private final Cursor<Frame> looked;
        private @Nullable Cursor<Frame> rest;

        Joined(Cursor<Frame> lefts, Frame row, double limit, boolean endsEarly) {
            this.row = row;
            this.lefts = lefts;
            this.probes = new Probes(lefts, limit, mayChange && !endsEarly, !endsEarly(lefts.ordered()));
            this.looked = new PerLeftRow(probes, shape) {
                @Override
                Cursor<Frame> matches(Frame leftRow) {
                    Cursor<Frame> found = probes.matches();
                    return on == null ? found : new RowOperators.FilterCursor(found, on);
                }
            };
        }

        @Override
        public @Nullable Frame next() {
            Cursor<Frame> others = rest;
            if (others == null) {
                Frame next = looked.next();
                if (next != null || !probes.exceeded()) {
                    return next;
                }
                others = all.over(probes.rest(), row);
                rest = others;
            }
            return others.next();
        }

        @Override
        public boolean ordered() {
            return rest == null && lefts.ordered();
        }

        @Override
        public void close() {
            looked.close();
            lefts.close();
            if (rest != null) {
                rest.close();
            }
        }
    }

    /** Looks up several left rows at a time, so that the store answers them together. */
    private final class Probes implements Cursor<Frame> {

        private record Probe(Frame leftRow, Cursor<Frame> matches) {}

        private final Cursor<Frame> lefts;
        private final double limit;
        private final boolean countsFirst;
        private final boolean toEnd;
        private final Deque<Probe> ready = new ArrayDeque<>();
        private @Nullable Probe current;
        private double spent;
        private int step;
        private boolean done;

        /**
         * @param countsFirst whether the matches of the first left row are counted, because all may cost less
         * @param toEnd whether all matches are needed as far as is known
         */
        Probes(Cursor<Frame> lefts, double limit, boolean countsFirst, boolean toEnd) {
            this.lefts = lefts;
            this.limit = limit;
            this.countsFirst = countsFirst;
            this.toEnd = toEnd;
        }

        boolean exceeded() {
            return spent > limit && (!done || !ready.isEmpty());
        }

        /** Returns the left rows that have not been joined. */
        Cursor<Frame> rest() {
            Deque<Probe> begun = new ArrayDeque<>(ready);
            close();
            return new Cursor<>() {
                @Override
                public @Nullable Frame next() {
                    Probe first = begun.poll();
                    return first != null ? first.leftRow() : done ? null : lefts.next();
                }

                @Override
                public void close() {
                    lefts.close();
                }
            };
        }

        @Override
        public @Nullable Frame next() {
            if (spent > limit) {
                return null;
            }
            if (ready.isEmpty() && !done) {
                lookUpNext(BATCHES[Math.min(step++, BATCHES.length - 1)]);
            }
            current = spent > limit ? null : ready.poll();
            return current == null ? null : current.leftRow();
        }

        private void lookUpNext(int size) {
            for (int i = 0; i < size && !done; i++) {
                Frame leftRow = lefts.next();
                done = leftRow == null;
                if (leftRow != null) {
                    spent += LOOKUP + (countsFirst && step == 1 ? excess(leftRow) : 0);
                    ready.add(new Probe(leftRow, spent > limit ? () -> null : probe.open(leftRow, toEnd)));
                }
            }
        }

        /** Returns what the matches of a left row cost if that is more than all of the right side does, else 0. */
        private double excess(Frame leftRow) {
            double cost = probe.reads(leftRow);
            return LOOKUP + cost > limit ? cost : 0;
        }

        @Override
        public boolean ordered() {
            return lefts.ordered();
        }

        Cursor<Frame> matches() {
            Probe probed = current;
            if (probed == null) {
                throw new IllegalStateException("no left row");
            }
            Cursor<Frame> found = probed.matches();
            return new Cursor<>() {
                @Override
                public @Nullable Frame next() {
                    Frame next = found.next();
                    spent += next == null ? 0 : Operator.DOCUMENT;
                    return next;
                }

                @Override
                public void close() {
                    found.close();
                }
            };
        }

        @Override
        public void close() {
            ready.forEach(waiting -> waiting.matches().close());
            ready.clear();
        }
    }

    @Override
    public Explanation explain(Frame row) {
        double limit = mayChange ? all.right().reads(row) : Double.MAX_VALUE;
        Explanation lefts = left.explain(row);
        if (isTooMuch(limit, endsEarly(lefts.isInOrder()), row)) {
            return all.explain(lefts, row);
        }
        RowOrder by = lefts.isInOrder() || lefts.rows() > SortedRows.MOST ? null : order;
        if (by != null) {
            lefts = SortedRows.explain(lefts, by);
        }
        double matches = matches(row);
        double lookedUp = lefts.rows() * (LOOKUP + matches * DOCUMENT);
        return shape.explained("NestedLoop", text)
                .expecting(shape.rows(lefts.rows(), matches), lefts.cost() + Math.min(lookedUp, 2 * limit))
                .over(lefts, probe.explain(row))
                .inOrder(lefts.isInOrder());
    }

    /** Returns how many matches a left row is assumed to have. */
    private double matches(Frame row) {
        try {
            return Estimates.matching(all.right().rowCount(row));
        } catch (QueryException e) {
            return Double.NaN; // a parameter has no value, or the user may not read the documents
        }
    }
}
