package io.millrace.n1ql.function;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions of arrays: elements, order, positions and summaries. */
public final class ArrayFunctions {

    private ArrayFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        summaries(registrar);
        registrar.add(2, FunctionSpec.MANY, ArrayFunctions::append, "array_append");
        registrar.add(2, FunctionSpec.MANY, ArrayFunctions::prepend, "array_prepend");
        registrar.add(2, FunctionSpec.MANY, ArrayFunctions::concat, "array_concat");
        registrar.add(2, 2, ArrayFunctions::flatten, "array_flatten");
        registrar.add(3, FunctionSpec.MANY, ArrayFunctions::insert, "array_insert");
        registrar.add(2, 2, ArrayFunctions::position, "array_position", "array_pos");
        registrar.add(2, 3, ArrayFunctions::range, "array_range");
        registrar.add(2, 2, ArrayFunctions::repeat, "array_repeat");
        registrar.add(3, 4, ArrayFunctions::replace, "array_replace");
        registrar.add(
                1,
                1,
                Args.ofArray(array -> {
                    List<Value> reversed = new ArrayList<>(array.items());
                    Collections.reverse(reversed);
                    return ArrayValue.of(reversed);
                }),
                "array_reverse");
        registrar.add(1, 1, Args.ofArray(ArrayFunctions::sort), "array_sort");
        registrar.add(1, 1, (args, context) -> star(args[0]), "array_star");
        registrar.add(3, 3, ArrayFunctions::swap, "array_swap");
        registrar.add(3, 3, ArrayFunctions::move, "array_move");
        registrar.add(2, 2, ArrayFunctions::binarySearch, "array_binary_search");
    }

    private static void summaries(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, Args.ofArray(array -> Value.of((long) array.size())), "array_length");
        registrar.add(
                1,
                1,
                Args.ofArray(array -> Value.of(
                        array.items().stream().filter(item -> !item.isUnknown()).count())),
                "array_count");
        registrar.add(1, 1, Args.ofArray(array -> sum(array, false)), "array_sum");
        registrar.add(1, 1, Args.ofArray(array -> sum(array, true)), "array_avg");
        registrar.add(1, 1, Args.ofArray(array -> extreme(array, 1)), "array_max");
        registrar.add(1, 1, Args.ofArray(array -> extreme(array, -1)), "array_min");
        registrar.add(
                1,
                1,
                Args.ofArray(array -> array.items().stream()
                        .filter(item -> !item.isUnknown())
                        .findFirst()
                        .orElse(Value.NULL)),
                "array_ifnull");
    }

    private static Value sum(ArrayValue array, boolean average) {
        Value sum = Value.of(0L);
        int count = 0;
        for (Value item : array) {
            if (item.isNumber()) {
                sum = Operators.add(sum, item);
                count++;
            }
        }
        if (!average) {
            return sum;
        }
        return count == 0 ? Value.NULL : NumberValue.integerIfExact(((NumberValue) sum).doubleValue() / count);
    }

    private static Value extreme(ArrayValue array, int sign) {
        Value best = Value.NULL;
        for (Value item : array) {
            if (!item.isUnknown() && (best.isNull() || item.compareTo(best) * sign > 0)) {
                best = item;
            }
        }
        return best;
    }

    private static Value append(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof ArrayValue array)) {
            return Args.unknown(args[0]);
        }
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        List<Value> items = new ArrayList<>(array.items());
        items.addAll(Arrays.asList(args).subList(1, args.length));
        return ArrayValue.of(items);
    }

    /** The array is the last argument. */
    private static Value prepend(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        if (!(args[args.length - 1] instanceof ArrayValue array)) {
            return Value.NULL;
        }
        List<Value> items = new ArrayList<>(Arrays.asList(args).subList(0, args.length - 1));
        items.addAll(array.items());
        return ArrayValue.of(items);
    }

    private static Value concat(Value[] args, FunctionContext context) {
        List<Value> items = new ArrayList<>();
        boolean unknown = false;
        for (Value arg : args) {
            if (arg.isMissing()) {
                return Value.MISSING;
            }
            if (arg instanceof ArrayValue array) {
                items.addAll(array.items());
            } else {
                unknown = true;
            }
        }
        return unknown ? Value.NULL : ArrayValue.of(items);
    }

    private static Value flatten(Value[] args, FunctionContext context) {
        Long depth = Args.whole(args[1]);
        if (!(args[0] instanceof ArrayValue array) || depth == null) {
            return Args.unknown(args);
        }
        List<Value> items = new ArrayList<>();
        flatten(array, depth < 0 ? Long.MAX_VALUE : depth, items);
        return ArrayValue.of(items);
    }

    private static void flatten(ArrayValue array, long depth, List<Value> into) {
        for (Value item : array) {
            if (depth > 0 && item instanceof ArrayValue inner) {
                flatten(inner, depth - 1, into);
            } else {
                into.add(item);
            }
        }
    }

    private static Value insert(Value[] args, FunctionContext context) {
        Long position = Args.whole(args[1]);
        if (Args.anyMissing(args) || !(args[0] instanceof ArrayValue array) || position == null) {
            return Args.unknown(args);
        }
        long at = position < 0 ? position + array.size() : position;
        if (at < 0 || at > array.size()) {
            return Value.NULL;
        }
        List<Value> items = new ArrayList<>(array.items());
        items.addAll((int) at, Arrays.asList(args).subList(2, args.length));
        return ArrayValue.of(items);
    }

    private static Value position(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        if (!(args[0] instanceof ArrayValue array) || args[1].isNull()) {
            return Value.NULL;
        }
        for (int i = 0; i < array.size(); i++) {
            if (array.get(i).eq(args[1]) == Value.TRUE) {
                return Value.of((long) i);
            }
        }
        return Value.of(-1L);
    }

    private static Value range(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof NumberValue start)
                || !(args[1] instanceof NumberValue end)
                || args.length > 2 && !args[2].isNumber()) {
            return Args.unknown(args);
        }
        double step = args.length > 2 ? ((NumberValue) args[2]).doubleValue() : 1;
        double from = start.doubleValue();
        double to = end.doubleValue();
        if (step == 0 || from == to || step > 0 && from > to || step < 0 && from < to) {
            return Value.EMPTY_ARRAY;
        }
        if (Math.abs((to - from) / step) > FunctionSpec.MAX_ELEMENTS) {
            throw QueryException.outOfRange("ARRAY_RANGE()");
        }
        List<Value> items = new ArrayList<>();
        for (double value = from; step > 0 ? value < to : value > to; value += step) {
            items.add(NumberValue.integerIfExact(value));
        }
        return ArrayValue.of(items);
    }

    private static Value repeat(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        Long count = Args.whole(args[1]);
        if (count == null || count < 0) {
            return Value.NULL;
        }
        if (count > FunctionSpec.MAX_ELEMENTS) {
            throw QueryException.outOfRange("ARRAY_REPEAT()");
        }
        return ArrayValue.of(Collections.nCopies(count.intValue(), args[0]));
    }

    private static Value replace(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        Long limit = args.length > 3 ? Args.whole(args[3]) : Long.valueOf(-1);
        if (!(args[0] instanceof ArrayValue array) || args[1].isNull() || limit == null) {
            return Value.NULL;
        }
        long left = limit;
        List<Value> items = new ArrayList<>();
        for (Value item : array) {
            boolean replaced = left != 0 && item.eq(args[1]) == Value.TRUE;
            items.add(replaced ? args[2] : item);
            left -= replaced ? 1 : 0;
        }
        return ArrayValue.of(items);
    }

    static Value sort(ArrayValue array) {
        List<Value> items = new ArrayList<>(array.items());
        Collections.sort(items);
        return ArrayValue.of(items);
    }

    /** Converts an array of objects to an object of arrays. */
    /** Returns an object with an array for each field of the objects in an array; MISSING if there are none. */
    public static Value star(Value value) {
        if (!(value instanceof ArrayValue array)) {
            return Args.unknown(value);
        }
        Map<String, Value[]> columns = new LinkedHashMap<>();
        for (int i = 0; i < array.size(); i++) {
            if (array.get(i) instanceof ObjectValue object) {
                for (Map.Entry<String, Value> field : object.fields().entrySet()) {
                    columns.computeIfAbsent(field.getKey(), name -> {
                                Value[] column = new Value[array.size()];
                                Arrays.fill(column, Value.MISSING);
                                return column;
                            })[i] =
                            field.getValue();
                }
            }
        }
        if (columns.isEmpty()) {
            return Value.MISSING;
        }
        Map<String, Value> fields = new LinkedHashMap<>();
        columns.forEach((name, column) -> fields.put(name, ArrayValue.of(Arrays.asList(column))));
        return ObjectValue.of(fields);
    }

    private static Value swap(Value[] args, FunctionContext context) {
        int[] places = places(args);
        if (places == null) {
            return Args.unknown(args);
        }
        List<Value> items = new ArrayList<>(((ArrayValue) args[0]).items());
        Collections.swap(items, places[0], places[1]);
        return ArrayValue.of(items);
    }

    private static Value move(Value[] args, FunctionContext context) {
        int[] places = places(args);
        if (places == null) {
            return Args.unknown(args);
        }
        List<Value> items = new ArrayList<>(((ArrayValue) args[0]).items());
        items.add(places[1], items.remove(places[0]));
        return ArrayValue.of(items);
    }

    private static int @org.jspecify.annotations.Nullable [] places(Value[] args) {
        Long first = Args.whole(args[1]);
        Long second = Args.whole(args[2]);
        if (!(args[0] instanceof ArrayValue array) || first == null || second == null) {
            return null;
        }
        long a = first < 0 ? first + array.size() : first;
        long b = second < 0 ? second + array.size() : second;
        boolean inside = a >= 0 && a < array.size() && b >= 0 && b < array.size();
        return inside ? new int[] {(int) a, (int) b} : null;
    }

    /** Returns the first position of a value in a sorted array. */
    private static Value binarySearch(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        if (!(args[0] instanceof ArrayValue array)) {
            return Value.NULL;
        }
        int low = 0;
        int high = array.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (array.get(middle).compareTo(args[1]) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Value.of(low < array.size() && array.get(low).compareTo(args[1]) == 0 ? (long) low : -1L);
    }
}
