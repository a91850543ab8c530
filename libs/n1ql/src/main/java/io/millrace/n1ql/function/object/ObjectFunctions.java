package io.millrace.n1ql.function.object;

import com.google.re2j.Pattern;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions of objects and their direct fields. */
public final class ObjectFunctions {

    private ObjectFunctions() {}

    public static void register(FunctionSpec.Registrar registrar) {
        ObjectPathFunctions.register(registrar);
        ObjectTypes.register(registrar);
        registrar.add(3, 3, ObjectFunctions::add, "object_add");
        registrar.add(3, 3, ObjectFunctions::put, "object_put");
        registrar.add(2, FunctionSpec.MANY, ObjectFunctions::concat, "object_concat");
        registrar.add(2, FunctionSpec.MANY, ObjectFunctions::concatAll, "object_concat2");
        registrar.add(2, FunctionSpec.MANY, ObjectFunctions::remove, "object_remove");
        registrar.add(3, 3, ObjectFunctions::rename, "object_rename");
        registrar.add(3, 3, ObjectFunctions::replace, "object_replace");
        registrar.add(1, 1, Args.ofObject(object -> Value.of((long) object.size())), "object_length");
        registrar.add(1, 1, Args.ofObject(object -> ArrayValue.ofStrings(object.sortedNames())), "object_names");
        registrar.add(
                1,
                1,
                Args.ofObject(object -> values(object, object)),
                "object_values",
                "object_outervalues",
                "object_outer_values");
        registrar.add(
                1,
                1,
                Args.ofObject(object -> values(object, withoutMissing(object))),
                "object_innervalues",
                "object_inner_values");
        registrar.add(1, 2, ObjectFunctions::pairs, "object_pairs", "object_outerpairs", "object_outer_pairs");
        registrar.add(
                1,
                1,
                Args.ofObject(object -> pairs(withoutMissing(object), false)),
                "object_innerpairs",
                "object_inner_pairs");
        registrar.add(
                1,
                1,
                Args.ofObject(object ->
                        object.size() == 1 ? object.fields().values().iterator().next() : Value.NULL),
                "object_unwrap");
        registrar.add(1, 2, ObjectFunctions::extract, "object_extract");
    }

    private static Value add(Value[] args, FunctionContext context) {
        if (args[0].isMissing() || args[1].isMissing()) {
            return Value.MISSING;
        }
        if (!(args[0] instanceof ObjectValue object) || !(args[1] instanceof StringValue name)) {
            return Value.NULL;
        }
        boolean known = !object.get(name.text()).isMissing();
        return known || args[2].isMissing() ? object : object.with(name.text(), args[2]);
    }

    private static Value put(Value[] args, FunctionContext context) {
        if (args[0].isMissing() || args[1].isMissing()) {
            return Value.MISSING;
        }
        return args[0] instanceof ObjectValue object && args[1] instanceof StringValue name
                ? object.with(name.text(), args[2])
                : Value.NULL;
    }

    /** Accepts objects and, after the first, arrays of objects. */
    private static Value concatAll(Value[] args, FunctionContext context) {
        List<Value> objects = new ArrayList<>();
        objects.add(args[0]);
        for (Value arg : Arrays.asList(args).subList(1, args.length)) {
            if (arg instanceof ArrayValue array) {
                objects.addAll(array.items());
            } else {
                objects.add(arg);
            }
        }
        return concat(objects.toArray(Value[]::new), context);
    }

    private static Value concat(Value[] args, FunctionContext context) {
        Map<String, Value> fields = new LinkedHashMap<>();
        boolean unknown = false;
        for (Value arg : args) {
            if (arg.isMissing()) {
                return Value.MISSING;
            }
            if (arg instanceof ObjectValue object) {
                fields.putAll(object.fields());
            } else {
                unknown = true;
            }
        }
        return unknown ? Value.NULL : ObjectValue.of(fields);
    }

    private static Value remove(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args) || !(args[0] instanceof ObjectValue object)) {
            return Args.unknown(args);
        }
        Map<String, Value> fields = new LinkedHashMap<>(object.fields());
        for (int i = 1; i < args.length; i++) {
            if (!(args[i] instanceof StringValue name)) {
                return Value.NULL;
            }
            fields.remove(name.text());
        }
        return ObjectValue.of(fields);
    }

    private static Value rename(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof ObjectValue object)
                || !(args[1] instanceof StringValue from)
                || !(args[2] instanceof StringValue to)) {
            return Args.unknown(args);
        }
        Value value = object.get(from.text());
        return value.isMissing()
                ? object
                : object.with(from.text(), Value.MISSING).with(to.text(), value);
    }

    private static Value replace(Value[] args, FunctionContext context) {
        if (args[0].isMissing() || args[1].isMissing()) {
            return Value.MISSING;
        }
        if (!(args[0] instanceof ObjectValue object) || args[1].isNull()) {
            return Value.NULL;
        }
        ObjectValue result = object;
        for (Map.Entry<String, Value> field : object.fields().entrySet()) {
            if (field.getValue().eq(args[1]) == Value.TRUE) {
                result = result.with(field.getKey(), args[2]);
            }
        }
        return result;
    }

    private static Value values(ObjectValue names, ObjectValue values) {
        List<Value> items = new ArrayList<>();
        names.sortedNames().forEach(name -> items.add(values.get(name)));
        return ArrayValue.of(items);
    }

    /** Removes MISSING from arrays; an array with one remaining value becomes that value. */
    private static ObjectValue withoutMissing(ObjectValue object) {
        if (object.size() == 1) {
            return object;
        }
        Map<String, Value> fields = new LinkedHashMap<>();
        object.fields().forEach((name, value) -> {
            if (value instanceof ArrayValue array) {
                List<Value> kept =
                        array.items().stream().filter(item -> !item.isMissing()).toList();
                fields.put(name, kept.size() == 1 ? kept.getFirst() : ArrayValue.of(kept));
            } else {
                fields.put(name, value);
            }
        });
        return ObjectValue.of(fields);
    }

    private static Value pairs(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof ObjectValue object) || args.length > 1 && !args[1].isObject()) {
            return Args.unknown(args);
        }
        return pairs(object, args.length > 1 && Args.flag(args[1], "types", false));
    }

    private static Value pairs(ObjectValue object, boolean types) {
        List<Value> pairs = new ArrayList<>();
        object.sortedNames().forEach(name -> pairs.add(pair(name, object.get(name), types)));
        return ArrayValue.of(pairs);
    }

    static Value pair(String name, Value value, boolean types) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("name", Value.of(name));
        if (types) {
            fields.put("type", Value.of(value.type().label()));
        } else if (!value.isMissing()) {
            fields.put("val", value);
        }
        return ObjectValue.of(fields);
    }

    /** Returns pairs of the fields whose names are in a range or match a pattern. */
    private static Value extract(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof ObjectValue object) || args.length > 1 && !args[1].isObject()) {
            return Args.unknown(args);
        }
        Value options = args.length > 1 ? args[1] : Value.MISSING;
        String min = Args.text(Args.option(options, "min"));
        String max = Args.text(Args.option(options, "max"));
        String regex = min == null && max == null ? Args.text(Args.option(options, "pattern")) : null;
        Pattern pattern = regex == null ? null : Args.pattern(regex, context);
        List<Value> pairs = new ArrayList<>();
        for (String name : object.sortedNames()) {
            boolean inRange = (min == null || StringValue.compare(min, name) <= 0)
                    && (max == null || StringValue.compare(name, max) < 0);
            if (inRange && (pattern == null || pattern.matcher(name).find())) {
                pairs.add(pair(name, object.get(name), false));
            }
        }
        return ArrayValue.of(pairs);
    }
}
