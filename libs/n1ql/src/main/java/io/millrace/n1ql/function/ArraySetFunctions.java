package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** Functions that treat arrays as sets. */
final class ArraySetFunctions {

    private ArraySetFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(2, FunctionSpec.MANY, ArraySetFunctions::put, "array_put", "array_add", "array_upsert");
        registrar.add(2, FunctionSpec.MANY, ArraySetFunctions::remove, "array_remove");
        registrar.add(2, 2, ArraySetFunctions::contains, "array_contains");
        registrar.add(2, 2, (args, context) -> containsOf(args, true), "array_contains_all");
        registrar.add(2, 2, (args, context) -> containsOf(args, false), "array_contains_any");
        registrar.add(
                1,
                1,
                Args.ofArray(array -> ArrayValue.of(new ArrayList<>(new LinkedHashSet<>(array.items())))),
                "array_distinct");
        registrar.add(2, 2, ArraySetFunctions::except, "array_except");
        registrar.add(2, FunctionSpec.MANY, ArraySetFunctions::intersect, "array_intersect");
        registrar.add(2, FunctionSpec.MANY, counting(count -> true), "array_union");
        registrar.add(2, FunctionSpec.MANY, counting(count -> count == 1), "array_symdiff", "array_symdiff1");
        registrar.add(2, FunctionSpec.MANY, counting(count -> count % 2 == 1), "array_symdiffn");
    }

    /** Appends the values that the array does not have. */
    private static Value put(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        if (!(args[0] instanceof ArrayValue array)) {
            return Value.NULL;
        }
        Set<Value> known = new HashSet<>(array.items());
        List<Value> items = new ArrayList<>(array.items());
        for (Value value : Arrays.asList(args).subList(1, args.length)) {
            if (known.add(value)) {
                items.add(value);
            }
        }
        return ArrayValue.of(items);
    }

    private static Value remove(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        if (!(args[0] instanceof ArrayValue array)) {
            return Value.NULL;
        }
        Set<Value> removed = new HashSet<>(Arrays.asList(args).subList(1, args.length));
        return ArrayValue.of(array.items().stream()
                .filter(item -> item.isNull() || !removed.contains(item))
                .toList());
    }

    private static Value contains(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args)) {
            return Value.MISSING;
        }
        if (!(args[0] instanceof ArrayValue array) || args[1].isNull()) {
            return Value.NULL;
        }
        return Value.of(array.items().stream().anyMatch(item -> item.eq(args[1]) == Value.TRUE));
    }

    private static Value containsOf(Value[] args, boolean all) {
        if (!(args[0] instanceof ArrayValue array) || !(args[1] instanceof ArrayValue wanted)) {
            return Args.unknown(args);
        }
        Set<Value> known = new HashSet<>(array.items());
        return Value.of(
                all
                        ? known.containsAll(wanted.items())
                        : wanted.items().stream().anyMatch(known::contains));
    }

    private static Value except(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof ArrayValue array) || !(args[1] instanceof ArrayValue removed)) {
            return Args.unknown(args);
        }
        Set<Value> unwanted = new HashSet<>(removed.items());
        return ArrayValue.of(
                array.items().stream().filter(item -> !unwanted.contains(item)).toList());
    }

    private static Value intersect(Value[] args, FunctionContext context) {
        return counting(args, count -> count == args.length);
    }

    private static FunctionSpec.Body counting(IntPredicate wanted) {
        return (args, context) -> counting(args, wanted);
    }

    /** Keeps values depending on how many of the arrays have them. */
    private static Value counting(Value[] args, IntPredicate wanted) {
        Map<Value, Integer> counts = new LinkedHashMap<>();
        boolean unknown = false;
        for (Value arg : args) {
            if (arg.isMissing()) {
                return Value.MISSING;
            }
            if (arg instanceof ArrayValue array) {
                new LinkedHashSet<>(array.items()).forEach(item -> counts.merge(item, 1, Integer::sum));
            } else {
                unknown = true;
            }
        }
        if (unknown) {
            return Value.NULL;
        }
        List<Value> items = new ArrayList<>();
        counts.forEach((item, count) -> {
            if (wanted.test(count)) {
                items.add(item);
            }
        });
        return ArrayValue.of(items);
    }
}
