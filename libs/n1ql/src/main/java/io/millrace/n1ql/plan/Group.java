package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import java.util.Arrays;
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

        void add(Aggregates running, Frame row) {
            if (filter != null && !filter.eval(row).truth()) {
                return;
            }
            Value value = arg == null ? Value.TRUE : arg.eval(row);
            if (!value.isMissing()) {
                running.add(value);
            }
        }
    }

    private record Running(Value[] keys, Aggregates[] aggregates) {}

    @Override
    public Cursor<Frame> open(Frame row) {
        return new Cursor<>() {
            private @Nullable Iterator<Running> groups;

            @Override
            public @Nullable Frame next() {
                Iterator<Running> left = groups;
                if (left == null) {
                    left = collect(row);
                    groups = left;
                }
                return left.hasNext() ? result(row, left.next()) : null;
            }

            @Override
            public boolean ready() {
                return groups != null;
            }
        };
    }

    private Iterator<Running> collect(Frame row) {
        Map<List<Value>, Running> groups = new LinkedHashMap<>();
        try (Cursor<Frame> rows = input.open(row)) {
            for (Frame next = rows.next(); next != null; next = rows.next()) {
                Value[] key = new Value[keys.length];
                for (int i = 0; i < keys.length; i++) {
                    key[i] = keys[i].eval(next);
                }
                Running group = groups.computeIfAbsent(Arrays.asList(key), k -> start(key));
                for (int i = 0; i < aggregates.length; i++) {
                    aggregates[i].add(group.aggregates()[i], next);
                }
            }
        }
        if (groups.isEmpty() && keys.length == 0) {
            groups.put(List.of(), start(new Value[0]));
        }
        return groups.values().iterator();
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
    public Explanation explain() {
        return new Explanation("Group").withAll("group_keys", texts).over(input);
    }
}
