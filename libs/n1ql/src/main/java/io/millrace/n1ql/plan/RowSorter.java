package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.plan.spill.SpillFile;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts results by keys. What does not fit into the work memory of an operator is written to files as sorted runs, which
 * are merged when all results are there. The sort is stable.
 */
final class RowSorter implements AutoCloseable {

    private record Keyed(Value[] keys, Value result) {}

    private final RowOrder order;
    private final Execution execution;
    private final List<Keyed> rows = new ArrayList<>();
    private final List<SpillFile> runs = new ArrayList<>();
    private long held;

    RowSorter(RowOrder order, Execution execution) {
        this.order = order;
        this.execution = execution;
    }

    void add(Value[] keys, Value result) {
        long size = RowSizes.of(keys) + ValueBytes.size(result);
        if (held + size > execution.memory().workBytes() && !rows.isEmpty()) {
            writeRun();
        }
        execution.hold(size);
        held += size;
        rows.add(new Keyed(keys, result));
    }

    private void sort() {
        execution.check();
        rows.sort((left, right) -> order.compare(left.keys(), right.keys()));
    }

    private void writeRun() {
        sort();
        SpillFile run = new SpillFile(execution);
        runs.add(run);
        for (Keyed row : rows) {
            execution.step();
            Value[] written = Arrays.copyOf(row.keys(), order.size() + 1);
            written[order.size()] = row.result();
            run.write(written);
        }
        rows.clear();
        release();
    }

    private void release() {
        execution.hold(-held);
        held = 0;
    }

    /** Returns the results in order; nothing may be added any more. */
    Iterator<Value> sorted() {
        sort();
        Iterator<Keyed> last = rows.iterator();
        if (runs.isEmpty()) {
            return results(last);
        }
        PriorityQueue<Run> next = new PriorityQueue<>();
        for (int i = 0; i < runs.size(); i++) {
            next.add(new Run(i, of(runs.get(i).read())));
        }
        if (last.hasNext()) {
            next.add(new Run(runs.size(), last));
        }
        return results(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !next.isEmpty();
            }

            @Override
            public Keyed next() {
                Run run = next.remove();
                Keyed row = run.take();
                if (run.more()) {
                    next.add(run);
                }
                return row;
            }
        });
    }

    private static Iterator<Value> results(Iterator<Keyed> rows) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Value next() {
                return rows.next().result();
            }
        };
    }

    private Iterator<Keyed> of(Cursor<@Nullable Value[]> run) {
        return new Iterator<>() {
            private @Nullable Value @Nullable [] row = run.next();

            @Override
            public boolean hasNext() {
                return row != null;
            }

            @Override
            @SuppressWarnings("NullAway") // rows of a run have no empty slot
            public Keyed next() {
                Value[] read = row;
                row = run.next();
                return new Keyed(Arrays.copyOf(read, order.size()), read[order.size()]);
            }
        };
    }

    /** The rest of a run; runs with equal first rows are in the order in which they were written. */
    private final class Run implements Comparable<Run> {

        private final int number;
        private final Iterator<Keyed> left;
        private @Nullable Keyed first;

        Run(int number, Iterator<Keyed> left) {
            this.number = number;
            this.left = left;
            this.first = left.next();
        }

        Keyed take() {
            Keyed taken = java.util.Objects.requireNonNull(first);
            first = left.hasNext() ? left.next() : null;
            return taken;
        }

        boolean more() {
            return first != null;
        }

        @Override
        public int compareTo(Run other) {
            Keyed mine = java.util.Objects.requireNonNull(first);
            Keyed theirs = java.util.Objects.requireNonNull(other.first);
            int compared = order.compare(mine.keys(), theirs.keys());
            return compared != 0 ? compared : Integer.compare(number, other.number);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    @Override
    public void close() {
        runs.forEach(SpillFile::close);
        rows.clear();
        release();
    }
}
