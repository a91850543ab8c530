package io.millrace.n1ql.plan;

import io.millrace.n1ql.function.Operators;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.Arrays;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate of any rows of a partition that are next to each other. A long range is put together from partial results in
 * a binary tree, so it takes logarithmic time: frames may move in both directions, and nothing is subtracted.
 */
final class RangeAggregate {

    /** A shorter range is computed from its values, as a group is. */
    private static final int SHORT = 32;

    /** What an inner node of the tree holds: two references of the array, and a number. */
    private static final long NODE_BYTES = 40;

    private final String name;
    private final Value[] values;
    private final int[] countsBefore;
    private final HeldBytes held;
    private final @Nullable BinaryOperator<Value> combination;
    /** The tree: two nodes are below each, and the values are the last ones. */
    private Value @Nullable [] nodes;

    private Value result = Value.NULL;
    private long count;

    private RangeAggregate(
            String name, boolean star, Value[] values, @Nullable BinaryOperator<Value> combination, HeldBytes held) {
        this.name = name;
        this.values = values;
        this.combination = combination;
        this.held = held;
        this.countsBefore = new int[values.length + 1];
        boolean anyType = name.equals("count");
        for (int i = 0; i < values.length; i++) {
            boolean counted = anyType ? !values[i].isMissing() && (star || !values[i].isNull()) : values[i].isNumber();
            countsBefore[i + 1] = countsBefore[i] + (counted ? 1 : 0);
        }
    }

    /** Returns whether the aggregate of a range follows from those of its parts. */
    static boolean isPossible(Expr.Call call) {
        return !call.distinct()
                && Set.of("count", "countn", "sum", "avg", "mean", "min", "max").contains(call.name());
    }

    /**
     * @param call one for which this is possible
     * @param values one for each row, MISSING for a row that does not count
     * @param held counts what is kept
     */
    static RangeAggregate of(Expr.Call call, Value[] values, HeldBytes held) {
        String name = call.name();
        return switch (name) {
            case "count", "countn" -> new RangeAggregate(name, call.star(), values, null, held);
            case "min" -> new RangeAggregate(name, false, known(values), (a, b) -> a.compareTo(b) <= 0 ? a : b, held);
            case "max" -> new RangeAggregate(name, false, known(values), (a, b) -> a.compareTo(b) >= 0 ? a : b, held);
            default -> new RangeAggregate(name, false, numbers(values), Operators::add, held);
        };
    }

    private static Value[] numbers(Value[] values) {
        return Arrays.stream(values)
                .map(value -> value.isNumber() ? value : Value.NULL)
                .toArray(Value[]::new);
    }

    private static Value[] known(Value[] values) {
        return Arrays.stream(values)
                .map(value -> value.isMissing() ? Value.NULL : value)
                .toArray(Value[]::new);
    }

    /** Begins with the next range. */
    void clear() {
        result = Value.NULL;
        count = 0;
    }

    /** Adds the rows of a range, which may be empty. */
    void add(int from, int to) {
        if (from >= to) {
            return;
        }
        count += countsBefore[to] - countsBefore[from];
        BinaryOperator<Value> combine = combination;
        if (combine == null) {
            return;
        }
        if (to - from <= SHORT) {
            for (int i = from; i < to; i++) {
                result = combined(result, values[i], combine);
            }
        } else {
            addTree(from + values.length, to + values.length, combine);
        }
    }

    private void addTree(int from, int to, BinaryOperator<Value> combine) {
        Value[] tree = tree(combine);
        int left = from;
        int right = to;
        while (left < right) {
            if (left % 2 == 1) {
                result = combined(result, tree[left++], combine);
            }
            if (right % 2 == 1) {
                result = combined(result, tree[--right], combine);
            }
            left /= 2;
            right /= 2;
        }
    }

    private Value[] tree(BinaryOperator<Value> combine) {
        Value[] tree = nodes;
        if (tree == null) {
            held.add(values.length * NODE_BYTES);
            tree = new Value[2 * values.length];
            tree[0] = Value.NULL;
            System.arraycopy(values, 0, tree, values.length, values.length);
            for (int i = values.length - 1; i > 0; i--) {
                tree[i] = combined(tree[2 * i], tree[2 * i + 1], combine);
            }
            nodes = tree;
        }
        return tree;
    }

    private static Value combined(Value left, Value right, BinaryOperator<Value> combine) {
        if (left.isNull()) {
            return right;
        }
        return right.isNull() ? left : combine.apply(left, right);
    }

    /** Returns the aggregate of the ranges that were added. */
    Value result() {
        return switch (name) {
            case "count", "countn" -> Value.of(count);
            case "avg", "mean" ->
                result instanceof NumberValue sum ? NumberValue.integerIfExact(sum.doubleValue() / count) : Value.NULL;
            default -> result;
        };
    }
}
