package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.plan.from.Joins.HashJoin;
import io.millrace.n1ql.plan.from.Joins.PerLeftRow;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.spill.Partitions;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a hash join. If the table of the right side does not fit into the work memory, both sides are written to
 * files by the hash of their keys, and the files are joined one after the other.
 */
final class HashJoinRows implements Cursor<Frame> {

    private final HashJoin join;
    private final Cursor<Frame> lefts;
    private final Frame row;
    private final Execution execution;
    private final Map<List<Value>, List<Frame>> table = new HashMap<>();
    private @Nullable Partitions rightFiles;
    private @Nullable Partitions leftFiles;
    private @Nullable Cursor<Frame> joined;
    private int partition;
    private long held;

    HashJoinRows(HashJoin join, Cursor<Frame> lefts, Frame row) {
        this.join = join;
        this.lefts = lefts;
        this.row = row;
        this.execution = row.execution();
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
        while (true) {
            Frame next = open.next();
            if (next != null || leftFiles == null || partition == Partitions.NUMBER) {
                return next;
            }
            open = nextPartition();
        }
    }

    private Cursor<Frame> start(Cursor<Frame> all) {
        build();
        if (rightFiles != null) {
            Partitions files = new Partitions(execution, 0);
            leftFiles = files;
            for (Frame leftRow = all.next(); leftRow != null; leftRow = all.next()) {
                List<Value> key = HashJoin.key(join.leftKeys(), leftRow);
                if (key != null || join.shape().keepLeft()) {
                    files.write(key == null ? 0 : key.hashCode(), leftRow.values());
                }
            }
            return nextPartition();
        }
        return open(all);
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

    private void build() {
        try (Cursor<Frame> rights = join.right().open(row)) {
            for (Frame right = rights.next(); right != null; right = rights.next()) {
                List<Value> key = HashJoin.key(join.rightKeys(), right);
                if (key != null) {
                    add(key, right);
                }
            }
        }
    }

    private void add(List<Value> key, Frame right) {
        Partitions files = rightFiles;
        if (files == null && held > execution.memory().workBytes()) {
            Partitions opened = new Partitions(execution, 0);
            rightFiles = opened;
            files = opened;
            table.forEach((name, rows) -> rows.forEach(known -> opened.write(name.hashCode(), known.values())));
            clear();
        }
        if (files == null) {
            keep(key, right);
        } else {
            files.write(key.hashCode(), right.values());
        }
    }

    private void keep(List<Value> key, Frame right) {
        table.computeIfAbsent(key, k -> new ArrayList<>()).add(right);
        long size = RowSizes.of(right.values());
        execution.hold(size);
        held += size;
    }

    private void clear() {
        table.clear();
        execution.hold(-held);
        held = 0;
    }

    private Cursor<Frame> nextPartition() {
        clear();
        int number = partition++;
        Cursor<Frame> rights = read(rightFiles, number);
        for (Frame right = rights.next(); right != null; right = rights.next()) {
            List<Value> key = HashJoin.key(join.rightKeys(), right);
            if (key != null) {
                keep(key, right);
            }
        }
        return open(read(leftFiles, number));
    }

    private Cursor<Frame> read(@Nullable Partitions files, int number) {
        if (files == null) {
            throw new IllegalStateException("no files");
        }
        Cursor<@Nullable Value[]> rows = files.read(number);
        return () -> {
            execution.step();
            @Nullable Value[] values = rows.next();
            if (values == null) {
                rows.close();
                return null;
            }
            return row.with(values);
        };
    }

    @Override
    public void close() {
        lefts.close();
        clear();
        if (rightFiles != null) {
            rightFiles.close();
        }
        if (leftFiles != null) {
            leftFiles.close();
        }
    }
}
