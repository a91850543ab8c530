package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.plan.from.Joins.HashJoin;
import io.millrace.n1ql.plan.from.Joins.PerLeftRow;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.spill.Partitions;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a hash join. If the table of the right side does not fit into the work memory, both sides are written to
 * files by the hash of their keys, and the files are joined one after the other; those that do not fit are divided again.
 * Right rows that no division makes fewer, because they have the same key, are joined in pieces: each piece with all left
 * rows. Outer joins and nests need all matches of a left row together, so they hold such rows.
 */
final class HashJoinRows implements Cursor<Frame> {

    /** What the table holds for a key besides its values: an entry, and the lists of values and of rows. */
    private static final long KEY_BYTES = 136;

    private final HashJoin join;
    private final Cursor<Frame> lefts;
    private final Frame row;
    private final Execution execution;
    private final Map<List<Value>, List<Frame>> table = new HashMap<>();
    private final HeldBytes held;
    private final Deque<Part> parts = new ArrayDeque<>();
    private @Nullable Cursor<Frame> joined;
    private @Nullable Part current;
    /** The right rows of the current part that did not fit, to be joined with all of its left rows. */
    private @Nullable Cursor<Frame> rest;

    /** Rows of both sides that have been written to files, after so many divisions. */
    private record Part(Partitions rights, Partitions lefts, int number, int level) {

        /** Gives back the space of these rows. */
        void end() {
            rights.close(number);
            lefts.close(number);
        }
    }

    HashJoinRows(HashJoin join, Cursor<Frame> lefts, Frame row) {
        this.join = join;
        this.lefts = lefts;
        this.row = row;
        this.execution = row.execution();
        this.held = new HeldBytes(execution);
    }

    @Override
    public @Nullable Frame next() {
        Cursor<Frame> open = joined;
        if (open == null) {
            Frame first = lefts.next();
            if (first == null) {
                return null; // the right side is not read in vain
            }
            open = start(Cursor.before(first, lefts));
        }
        while (open != null) {
            Frame next = open.next();
            if (next != null) {
                return next;
            }
            open.close();
            open = nextPart();
        }
        return null;
    }

    private @Nullable Cursor<Frame> start(Cursor<Frame> all) {
        Cursor<Frame> rights = join.right().open(row);
        try {
            if (fill(rights, 0)) {
                return open(all);
            }
            divide(rights, all, 0);
        } finally {
            rights.close();
        }
        return nextPart();
    }

    /** Puts right rows into the table; returns false if there are more than fit, after the last one that was put. */
    private boolean fill(Cursor<Frame> rights, int level) {
        table.clear();
        held.close();
        boolean whole = level == Partitions.MOST_LEVELS && join.shape().needsAllMatches();
        for (Frame right = rights.next(); right != null; right = rights.next()) {
            List<Value> key = HashJoin.key(join.rightKeys(), right);
            if (key == null) {
                continue;
            }
            held.add(RowSizes.of(right));
            rowsOf(key).add(right);
            if (held.bytes() > execution.memory().workBytes() && !whole) {
                return false;
            }
        }
        return true;
    }

    private List<Frame> rowsOf(List<Value> key) {
        List<Frame> known = table.get(key);
        if (known != null) {
            return known;
        }
        List<Frame> rows = new ArrayList<>(1); // most keys have one row
        table.put(key, rows);
        held.add(KEY_BYTES + key.stream().mapToLong(ValueBytes::size).sum());
        return rows;
    }

    /** Writes the table, the right rows that are left, and the left rows to files. */
    private void divide(Cursor<Frame> rights, Cursor<Frame> all, int level) {
        Partitions rightFiles = new Partitions(execution, level);
        Partitions leftFiles = new Partitions(execution, level);
        for (int i = 0; i < Partitions.NUMBER; i++) {
            parts.push(new Part(rightFiles, leftFiles, i, level + 1));
        }
        table.forEach((key, rows) -> rows.forEach(known -> rightFiles.write(key.hashCode(), known.values())));
        table.clear();
        held.close();
        for (Frame right = rights.next(); right != null; right = rights.next()) {
            List<Value> key = HashJoin.key(join.rightKeys(), right);
            if (key != null) {
                rightFiles.write(key.hashCode(), right.values());
            }
        }
        for (Frame leftRow = all.next(); leftRow != null; leftRow = all.next()) {
            List<Value> key = HashJoin.key(join.leftKeys(), leftRow);
            if (key != null || join.shape().keepLeft()) {
                leftFiles.write(key == null ? 0 : key.hashCode(), leftRow.values());
            }
        }
    }

    private @Nullable Cursor<Frame> nextPart() {
        Cursor<Frame> more = rest;
        Part part = current;
        if (more != null && part != null) {
            return piece(more, part);
        }
        for (part = begin(); part != null; part = begin()) {
            Cursor<Frame> rights = read(part.rights(), part.number());
            if (part.level() == Partitions.MOST_LEVELS) {
                return piece(rights, part);
            }
            if (fill(rights, part.level())) {
                return open(read(part.lefts(), part.number()));
            }
            divide(rights, read(part.lefts(), part.number()), part.level());
        }
        return null;
    }

    private @Nullable Part begin() {
        if (current != null) {
            current.end();
        }
        current = parts.poll();
        return current;
    }

    private Cursor<Frame> piece(Cursor<Frame> rights, Part part) {
        rest = fill(rights, part.level()) ? null : rights;
        return open(read(part.lefts(), part.number()));
    }

    private Cursor<Frame> open(Cursor<Frame> rows) {
        Cursor<Frame> open = new PerLeftRow(rows, join.shape()) {
            @Override
            Cursor<Frame> matches(Frame leftRow) {
                List<Value> key = HashJoin.key(join.leftKeys(), leftRow);
                List<Frame> found = key == null ? List.of() : table.getOrDefault(key, List.of());
                return Joins.merging(
                        leftRow, found.iterator(), join.on(), join.shape().rightSlots());
            }
        };
        joined = open;
        return open;
    }

    private Cursor<Frame> read(Partitions files, int number) {
        Cursor<@Nullable Value[]> rows = files.read(number);
        return () -> {
            execution.step();
            @Nullable Value[] values = rows.next();
            return values == null ? null : row.with(values);
        };
    }

    @Override
    public void close() {
        lefts.close();
        if (joined != null) {
            joined.close();
        }
        table.clear();
        held.close();
        parts.forEach(Part::end);
        if (current != null) {
            current.end();
        }
    }
}
