package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.spill.Partitions;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the rows with the same result. When the known results fill the work memory, rows with other results are written to
 * files by the hash of the result, and each file is read in its turn.
 */
final class DistinctRows implements Cursor<Frame> {

    /** Rows that have been written to a file, after so many divisions. */
    private record Left(Partitions files, int partition, int level) {}

    private final Frame row;
    private final Execution execution;
    private final Eval result;
    private final int slot;
    private final boolean resultOnly;
    private final Set<Value> known = new HashSet<>();
    private final Deque<Left> left = new ArrayDeque<>();
    private @Nullable Cursor<Frame> source;
    private @Nullable Partitions files;
    private int level;
    private final HeldBytes held;

    /**
     * @param slot where the result is stored
     * @param resultOnly whether nothing but the result is needed of a row
     */
    DistinctRows(Cursor<Frame> source, Frame row, Eval result, int slot, boolean resultOnly) {
        this.source = source;
        this.row = row;
        this.execution = row.execution();
        this.result = result;
        this.slot = slot;
        this.resultOnly = resultOnly;
        this.held = new HeldBytes(execution);
    }

    @Override
    public @Nullable Frame next() {
        for (Cursor<Frame> rows = source; rows != null; rows = nextSource()) {
            for (Frame next = rows.next(); next != null; next = rows.next()) {
                Value value = ValueBytes.alone(result.eval(next));
                if (!known.contains(value) && keep(value, next)) {
                    next.set(slot, value);
                    return next;
                }
            }
        }
        return null;
    }

    /** Returns whether a new result is kept; if not, its row has been written to a file. */
    private boolean keep(Value value, Frame next) {
        long size = RowSizes.entry(value);
        boolean full = held.bytes() + size > execution.memory().workBytes() && !known.isEmpty();
        Partitions open = files;
        if (open == null && (!full || level == Partitions.MOST_LEVELS)) {
            held.add(size);
            known.add(value);
            return true;
        }
        if (open == null) {
            open = new Partitions(execution, level);
            files = open;
        }
        Frame written = resultOnly ? next.blank() : next;
        written.set(slot, value);
        open.write(value.hashCode(), written.values());
        return false;
    }

    private @Nullable Cursor<Frame> nextSource() {
        if (source != null) {
            source.close();
        }
        known.clear();
        held.close();
        Partitions written = files;
        files = null;
        for (int i = 0; written != null && i < Partitions.NUMBER; i++) {
            left.push(new Left(written, i, level + 1));
        }
        Left from = left.poll();
        source = from == null ? null : read(from);
        return source;
    }

    private Cursor<Frame> read(Left from) {
        level = from.level();
        Cursor<@Nullable Value[]> rows = from.files().read(from.partition());
        return new Cursor<>() {
            @Override
            public @Nullable Frame next() {
                @Nullable Value[] values = rows.next();
                if (values == null) {
                    rows.close();
                    return null;
                }
                return row.with(values);
            }

            @Override
            public void close() {
                rows.close();
            }
        };
    }

    @Override
    public void close() {
        if (source != null) {
            source.close();
        }
        if (files != null) {
            files.close();
        }
        left.forEach(one -> one.files().close());
        held.close();
    }
}
