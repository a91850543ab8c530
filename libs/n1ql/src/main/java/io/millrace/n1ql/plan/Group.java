package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Estimates;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.spill.Partitions;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** GROUP BY and aggregates. Without keys there is one group, even without rows. */
record Group(Operator input, Eval[] keys, int[] keySlots, Aggregate[] aggregates, List<String> texts)
        implements Operator {

    /** One aggregate; {@code arg} is null for COUNT(*). */
    record Aggregate(
            String name,
            @Nullable Eval arg,
            boolean distinct,
            @Nullable Eval filter,
            int slot) {

        Aggregates start() {
            return Aggregates.of(name, arg == null, distinct);
        }

        /** Returns the value to add, or MISSING for none. */
        Value value(Frame row) {
            if (filter != null && !filter.eval(row).truth()) {
                return Value.MISSING;
            }
            return arg == null ? Value.TRUE : ValueBytes.alone(arg.eval(row));
        }
    }

    private record Running(Value[] keys, Aggregates[] aggregates) {}

    /** What the table holds for a group besides its keys and aggregates. */
    private static final long GROUP_BYTES = 80;

    /** What an aggregate holds besides the values that it keeps. */
    private static final long AGGREGATE_BYTES = 48;

    @Override
    public Cursor<Frame> open(Frame row) {
        return new Groups(row);
    }

    /** Rows that have been written to a file, after so many divisions. */
    private record Left(Partitions files, int partition, int level) {}

    /**
     * When groups fill the work memory, the rows of other groups are written to files by the hash of their keys, and each
     * file is read in its turn.
     */
    private final class Groups implements Cursor<Frame> {

        private final Frame row;
        private final Execution execution;
        private final Map<List<Value>, Running> table = new LinkedHashMap<>();
        private final Deque<Left> left = new ArrayDeque<>();
        private @Nullable Iterator<Running> groups;
        private @Nullable Partitions files;
        private int level;
        private long held;

        Groups(Frame row) {
            this.row = row;
            this.execution = row.execution();
        }

        @Override
        public @Nullable Frame next() {
            Iterator<Running> done = groups;
            if (done == null) {
                done = collect();
                groups = done;
            }
            while (!done.hasNext()) {
                Left from = nextFile();
                if (from == null) {
                    return null;
                }
                done = collect(from);
                groups = done;
            }
            return result(row, done.next());
        }

        @Override
        public boolean ready() {
            return groups != null;
        }

        private Iterator<Running> collect() {
            try (Cursor<Frame> rows = input.open(row)) {
                for (Frame next = rows.next(); next != null; next = rows.next()) {
                    Value[] values = new Value[keys.length + aggregates.length];
                    for (int i = 0; i < keys.length; i++) {
                        values[i] = keys[i].eval(next);
                    }
                    for (int i = 0; i < aggregates.length; i++) {
                        values[keys.length + i] = aggregates[i].value(next);
                    }
                    add(values);
                }
            }
            if (table.isEmpty() && keys.length == 0) {
                table.put(List.of(), start(new Value[0]));
            }
            return table.values().iterator();
        }

        private void add(Value[] values) {
            Value[] key = keys.length == values.length ? values : Arrays.copyOf(values, keys.length);
            List<Value> name = Arrays.asList(key);
            Running group = table.get(name);
            if (group == null) {
                long size = RowSizes.of(key) + GROUP_BYTES + aggregates.length * AGGREGATE_BYTES;
                boolean full = held + size > execution.memory().workBytes() && !table.isEmpty();
                if (files != null || full && level < Partitions.MOST_LEVELS) {
                    write(name.hashCode(), values);
                    return;
                }
                for (int i = 0; i < key.length; i++) {
                    key[i] = ValueBytes.alone(key[i]);
                }
                group = start(key);
                table.put(name, group);
                hold(size);
            }
            for (int i = 0; i < aggregates.length; i++) {
                Value value = values[keys.length + i];
                if (!value.isMissing()) {
                    Aggregates running = group.aggregates()[i];
                    long before = running.kept();
                    running.add(value);
                    hold(running.kept() - before);
                }
            }
        }

        private void hold(long bytes) {
            if (bytes != 0) {
                execution.hold(bytes);
                held += bytes;
            }
        }

        private void write(int hash, Value[] values) {
            Partitions open = files;
            if (open == null) {
                open = new Partitions(execution, level);
                files = open;
            }
            open.write(hash, values);
        }

        private @Nullable Left nextFile() {
            table.clear();
            hold(-held);
            Partitions written = files;
            files = null;
            for (int i = 0; written != null && i < Partitions.NUMBER; i++) {
                left.push(new Left(written, i, level + 1));
            }
            return left.poll();
        }

        @SuppressWarnings("NullAway") // rows of groups have no empty slot
        private Iterator<Running> collect(Left from) {
            level = from.level();
            try (Cursor<@Nullable Value[]> rows = from.files().read(from.partition())) {
                for (Value[] next = rows.next(); next != null; next = rows.next()) {
                    execution.step();
                    add(next);
                }
            }
            return table.values().iterator();
        }

        @Override
        public void close() {
            if (files != null) {
                files.close();
            }
            left.forEach(one -> one.files().close());
            table.clear();
            hold(-held);
        }
    }

    private Running start(Value[] key) {
        return new Running(key, Arrays.stream(aggregates).map(Aggregate::start).toArray(Aggregates[]::new));
    }

    private Frame result(Frame row, Running group) {
        Frame result = row.copy();
        for (int i = 0; i < keySlots.length; i++) {
            result.set(keySlots[i], group.keys()[i]);
        }
        for (int i = 0; i < aggregates.length; i++) {
            result.set(aggregates[i].slot(), group.aggregates()[i].result());
        }
        return result;
    }

    @Override
    public Explanation explain(Frame row) {
        Explanation rows = input.explain(row);
        return new Explanation("Group")
                .withAll("group_keys", texts)
                .expecting(
                        keys.length == 0 ? 1 : Estimates.groups(rows.rows(), keys.length),
                        rows.cost() + rows.rows() * Estimates.ROW)
                .over(rows);
    }
}
