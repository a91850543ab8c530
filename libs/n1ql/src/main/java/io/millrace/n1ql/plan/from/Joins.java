package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.Estimates;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operators that combine rows. */
final class Joins {

    private Joins() {}

    /**
     * The kind of a join.
     *
     * @param keepLeft whether a left row without a match is returned
     * @param nestSlot the slot in which the matches of a row are collected into an array, or -1 for one row per match
     * @param rightSlots the slots that the right side fills
     */
    record Shape(boolean keepLeft, int nestSlot, int[] rightSlots) {

        boolean nests() {
            return nestSlot >= 0;
        }

        /** Returns how many rows there are if each left row has so many matches. */
        double rows(double lefts, double matches) {
            return nests() ? lefts : lefts * (keepLeft ? Math.max(1, matches) : matches);
        }

        Operator.Explanation explained(String method, String condition) {
            return new Operator.Explanation(method + (nests() ? "Nest" : "Join"))
                    .with("on_clause", condition)
                    .with("outer", Value.of(keepLeft));
        }

        /** Returns whether a left row cannot be returned before all of its matches are known. */
        boolean needsAllMatches() {
            return keepLeft || nests();
        }
    }

    /** Returns each left row with the matches that a subclass finds. */
    abstract static class PerLeftRow implements Cursor<Frame> {

        private final Cursor<Frame> left;
        private final Shape shape;
        private @Nullable Cursor<Frame> matches;
        private @Nullable Frame current;
        private boolean matched;
        private @Nullable HeldBytes nested;

        PerLeftRow(Cursor<Frame> left, Shape shape) {
            this.left = left;
            this.shape = shape;
        }

        /** Opens a cursor over the rows of a left row with its matches. */
        abstract Cursor<Frame> matches(Frame leftRow);

        @Override
        public @Nullable Frame next() {
            while (true) {
                Cursor<Frame> open = matches;
                Frame leftRow = current;
                if (open == null || leftRow == null) {
                    leftRow = left.next();
                    if (leftRow == null) {
                        return null;
                    }
                    current = leftRow;
                    matched = false;
                    open = matches(leftRow);
                    matches = open;
                    if (shape.nests()) {
                        Frame nested = nest(leftRow, open);
                        if (nested != null) {
                            return nested;
                        }
                        continue;
                    }
                }
                Frame match = open.next();
                if (match != null) {
                    matched = true;
                    return match;
                }
                closeMatches();
                if (!matched && shape.keepLeft()) {
                    return leftRow;
                }
            }
        }

        /** The query sorts by fields of the left side, or not at all. */
        @Override
        public boolean ordered() {
            return left.ordered();
        }

        private @Nullable Frame nest(Frame leftRow, Cursor<Frame> open) {
            HeldBytes held = nested(leftRow);
            List<Value> items = new ArrayList<>();
            for (Frame match = open.next(); match != null; match = open.next()) {
                Value item = match.get(shape.nestSlot());
                held.add(match.isShared(shape.nestSlot()) ? 0 : ValueBytes.size(item));
                items.add(item);
            }
            closeMatches();
            if (items.isEmpty() && !shape.keepLeft()) {
                return null;
            }
            Frame row = leftRow.copy();
            row.set(shape.nestSlot(), ArrayValue.of(items));
            return row;
        }

        /** What the array of the current row holds; that of the row before has been passed on. */
        private HeldBytes nested(Frame leftRow) {
            HeldBytes held = nested;
            if (held == null) {
                held = new HeldBytes(leftRow.execution());
                nested = held;
            }
            held.close();
            return held;
        }

        private void closeMatches() {
            Cursor<Frame> open = matches;
            matches = null;
            current = null;
            if (open != null) {
                open.close();
            }
        }

        @Override
        public void close() {
            closeMatches();
            left.close();
            if (nested != null) {
                nested.close();
            }
        }
    }

    /** Opens the right side for every left row, because it may depend on the row. */
    record NestedLoopJoin(
            Operator left, Operator right, @Nullable Eval on, Shape shape, String text) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            return new PerLeftRow(left.open(row), shape) {
                @Override
                Cursor<Frame> matches(Frame leftRow) {
                    Cursor<Frame> rows = right.open(leftRow);
                    return on == null ? rows : new RowOperators.FilterCursor(rows, on);
                }
            };
        }

        @Override
        public Explanation explain(Frame row) {
            Explanation lefts = left.explain(row);
            Explanation rights = right.explain(row);
            return shape.explained("NestedLoop", text)
                    .expecting(shape.rows(lefts.rows(), rights.rows()), lefts.cost() + lefts.rows() * rights.cost())
                    .over(lefts, rights)
                    .inOrder(lefts.isInOrder());
        }
    }

    private static Frame merge(Frame leftRow, Frame rightRow, int[] rightSlots) {
        Frame merged = leftRow.copy();
        for (int slot : rightSlots) {
            merged.take(slot, rightRow); // an expression that the right scan has not computed stays so
        }
        return merged;
    }

    private static List<Frame> drain(Operator operator, Frame row, HeldBytes held) {
        List<Frame> rows = new ArrayList<>();
        try (Cursor<Frame> cursor = operator.open(row)) {
            for (Frame next = cursor.next(); next != null; next = cursor.next()) {
                held.add(RowSizes.besides(rows.isEmpty() ? null : rows.getLast(), next));
                rows.add(next);
            }
        }
        return rows;
    }

    /** Reads the right side once and compares every pair. */
    record MaterializedJoin(
            Operator left, Operator right, @Nullable Eval on, Shape shape, String text) implements IndexJoin.Rest {

        @Override
        public Cursor<Frame> open(Frame row) {
            return over(left.open(row), row);
        }

        @Override
        public Cursor<Frame> over(Cursor<Frame> lefts, Frame row) {
            return new PerLeftRow(lefts, shape) {
                private final HeldBytes held = new HeldBytes(row.execution());
                private @Nullable List<Frame> rights;

                @Override
                Cursor<Frame> matches(Frame leftRow) {
                    List<Frame> rows = rights;
                    if (rows == null) {
                        rows = drain(right, row, held);
                        rights = rows;
                    }
                    return merging(leftRow, rows.iterator(), on, shape.rightSlots());
                }

                @Override
                public void close() {
                    super.close();
                    held.close();
                }
            };
        }

        @Override
        public Explanation explain(Frame row) {
            return explain(left.explain(row), row);
        }

        @Override
        public Explanation explain(Explanation lefts, Frame row) {
            Explanation rights = right.explain(row);
            return shape.explained("NestedLoop", text)
                    .expecting(
                            shape.rows(lefts.rows(), rights.rows()),
                            lefts.cost() + rights.cost() + lefts.rows() * rights.rows() * Estimates.ROW)
                    .over(lefts, rights)
                    .inOrder(lefts.isInOrder());
        }
    }

    static Cursor<Frame> merging(Frame leftRow, Iterator<Frame> rights, @Nullable Eval on, int[] slots) {
        return new Cursor<>() {
            @Override
            public @Nullable Frame next() {
                while (rights.hasNext()) {
                    Frame merged = merge(leftRow, rights.next(), slots);
                    leftRow.execution().step();
                    if (on == null || on.eval(merged).truth()) {
                        return merged;
                    }
                }
                return null;
            }
        };
    }

    /** Reads the right side once into a hash table by the values that must be equal. */
    record HashJoin(
            Operator left,
            Operator right,
            Eval[] leftKeys,
            Eval[] rightKeys,
            @Nullable Eval on,
            Shape shape,
            String text)
            implements IndexJoin.Rest {

        @Override
        public Cursor<Frame> open(Frame row) {
            return over(left.open(row), row);
        }

        @Override
        public Cursor<Frame> over(Cursor<Frame> lefts, Frame row) {
            return new HashJoinRows(this, lefts, row);
        }

        /** Returns null if a part is unknown, because nothing equals it. */
        static @Nullable List<Value> key(Eval[] keys, Frame row) {
            Value[] values = new Value[keys.length];
            for (int i = 0; i < keys.length; i++) {
                values[i] = keys[i].eval(row);
                if (values[i].isUnknown()) {
                    return null;
                }
            }
            return Arrays.asList(values);
        }

        @Override
        public Explanation explain(Frame row) {
            return explain(left.explain(row), row);
        }

        @Override
        public Explanation explain(Explanation lefts, Frame row) {
            Explanation rights = right.explain(row);
            return shape.explained("Hash", text)
                    .expecting(
                            shape.rows(lefts.rows(), Estimates.matching(rights.rows())),
                            lefts.cost() + rights.cost() + (lefts.rows() + rights.rows()) * Estimates.ROW)
                    .over(lefts, rights);
        }
    }

    /** Returns right rows without a left match too; the slots of the left side are MISSING. */
    record RightJoin(
            Operator left, Operator right, @Nullable Eval on, int[] rightSlots, String text) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            HeldBytes held = new HeldBytes(row.execution());
            List<Frame> rights = drain(right, row, held);
            Set<Integer> matched = new HashSet<>();
            Cursor<Frame> lefts = left.open(row);
            return new Cursor<>() {
                private final Deque<Frame> ready = new ArrayDeque<>();
                private boolean leftDone;
                private int unmatched;

                @Override
                public @Nullable Frame next() {
                    while (ready.isEmpty() && !leftDone) {
                        Frame leftRow = lefts.next();
                        leftDone = leftRow == null;
                        for (int i = 0; leftRow != null && i < rights.size(); i++) {
                            Frame merged = merge(leftRow, rights.get(i), rightSlots);
                            row.execution().step();
                            if (on == null || on.eval(merged).truth()) {
                                matched.add(i);
                                ready.add(merged);
                            }
                        }
                    }
                    if (!ready.isEmpty()) {
                        return ready.poll();
                    }
                    while (unmatched < rights.size()) {
                        int at = unmatched++;
                        if (!matched.contains(at)) {
                            return merge(row, rights.get(at), rightSlots);
                        }
                    }
                    return null;
                }

                @Override
                public void close() {
                    lefts.close();
                    held.close();
                }
            };
        }

        @Override
        public Explanation explain(Frame row) {
            Explanation lefts = left.explain(row);
            Explanation rights = right.explain(row);
            double pairs = lefts.rows() * rights.rows();
            return new Explanation("NestedLoopJoin")
                    .with("on_clause", text)
                    .with("outer", "right")
                    .expecting(Math.max(pairs, rights.rows()), lefts.cost() + rights.cost() + pairs * Estimates.ROW)
                    .over(lefts, rights);
        }
    }

    /** Reads right documents by keys of the left row. */
    record KeyJoin(
            Operator left,
            KeyspaceRef ref,
            KeyspaceSlots slots,
            Eval keys,
            boolean distinct,
            @Nullable Eval on,
            Shape shape,
            String text)
            implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            Keyspace keyspace = ref.open(row.execution(), Need.SELECT);
            KeyedRows lefts = new KeyedRows(left.open(row), keyspace, keys, distinct);
            return new PerLeftRow(lefts, shape) {
                @Override
                Cursor<Frame> matches(Frame leftRow) {
                    Iterator<StoredDocument> found = lefts.documents().iterator();
                    Cursor<Frame> rows = new Cursor<>() {
                        @Override
                        public @Nullable Frame next() {
                            return found.hasNext() ? DocumentReader.row(leftRow, found.next(), keyspace, slots) : null;
                        }
                    };
                    return on == null ? rows : new RowOperators.FilterCursor(rows, on);
                }
            };
        }

        @Override
        public Explanation explain(Frame row) {
            Explanation lefts = left.explain(row);
            return new Explanation(shape.nests() ? "Nest" : "Join")
                    .with("keyspace", ref.toString())
                    .with("as", slots.alias())
                    .with("on_keys", text)
                    .with("outer", Value.of(shape.keepLeft()))
                    .expecting(shape.rows(lefts.rows(), 1), lefts.cost() + lefts.rows() * DOCUMENT)
                    .over(lefts)
                    .inOrder(lefts.isInOrder());
        }
    }
}
