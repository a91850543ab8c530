package io.millrace.n1ql.function.object;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Functions of the fields of a document at any depth. */
final class ObjectPathFunctions {

    private ObjectPathFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 2, ObjectPathFunctions::paths, "object_paths");
        registrar.add(1, 2, ObjectPathFunctions::pairsNested, "object_pairs_nested");
        registrar.add(1, 2, ObjectPathFunctions::filter, "object_filter");
        registrar.add(2, 2, ObjectPathFunctions::field, "object_field");
        registrar.add(2, FunctionSpec.MANY, ObjectPathFunctions::removeFields, "object_remove_fields");
        registrar.add(1, FunctionSpec.MANY, Redaction::apply, "redact");
        registrar.add(1, 2, TimeSeries::apply, "_timeseries");
    }

    private static boolean refused(Value[] args) {
        return !args[0].isObject() && !args[0].isArray() || args.length > 1 && !args[1].isObject();
    }

    private static Value options(Value[] args) {
        return args.length > 1 ? args[1] : Value.MISSING;
    }

    // ---- OBJECT_PATHS

    private static Value paths(Value[] args, FunctionContext context) {
        if (refused(args)) {
            return Args.unknown(args);
        }
        PathFilter filter = new PathFilter(options(args), true, context);
        boolean subscripts = !filter.forIndex() && Args.flag(options(args), "arraysubscript", true);
        List<String> paths = new ArrayList<>();
        new PathCollector(filter, subscripts, paths).visit("", args[0], false);
        paths.sort(StringValue::compare);
        boolean unique = Args.flag(options(args), "unique", true);
        Collection<String> kept = unique ? new LinkedHashSet<>(paths) : paths;
        return ArrayValue.ofStrings(kept);
    }

    private record PathCollector(PathFilter filter, boolean subscripts, List<String> paths) {

        void visit(String prefix, Value value, boolean belowStar) {
            switch (value) {
                case ArrayValue array -> {
                    for (int i = 0; i < array.size(); i++) {
                        visit(subscripts ? prefix + "[" + i + "]" : prefix, array.get(i), !subscripts);
                    }
                }
                case ObjectValue object -> {
                    String star = filter.forIndex() ? "[]." : "[*].";
                    String base = prefix.isEmpty() ? "" : prefix + (belowStar ? star : ".");
                    object.fields().forEach((name, field) -> {
                        String path = base + filter.spelled(name);
                        if (filter.composites() && filter.takes(path)) {
                            paths.add(path);
                        }
                        visit(path, field, belowStar);
                    });
                }
                default -> {
                    if (!filter.composites() && filter.takes(prefix)) {
                        paths.add(prefix);
                    }
                }
            }
        }
    }

    // ---- OBJECT_PAIRS_NESTED

    private static Value pairsNested(Value[] args, FunctionContext context) {
        if (refused(args)) {
            return Args.unknown(args);
        }
        Value options = options(args);
        PathFilter filter = new PathFilter(options, false, context);
        boolean namesOnly = "field".equals(Args.text(Args.option(options, "report")));
        boolean types = !filter.forIndex() && Args.flag(options, "types", false);
        List<Map.Entry<String, Value>> pairs = new ArrayList<>();
        new PairCollector(filter, namesOnly, pairs).visit("", "", args[0]);
        pairs.sort(Map.Entry.comparingByKey(StringValue::compare));
        return ArrayValue.of(pairs.stream()
                .map(pair -> ObjectFunctions.pair(pair.getKey(), pair.getValue(), types))
                .toList());
    }

    private record PairCollector(PathFilter filter, boolean namesOnly, List<Map.Entry<String, Value>> pairs) {

        void visit(String path, String name, Value value) {
            switch (value) {
                case ArrayValue array -> {
                    for (int i = 0; i < array.size(); i++) {
                        String index = filter.forIndex() ? "[]" : "[" + i + "]";
                        composite(path + index, name + index, array.get(i));
                        visit(path + index, "", array.get(i));
                    }
                }
                case ObjectValue object ->
                    object.fields().forEach((field, inner) -> {
                        String longer = (path.isEmpty() ? "" : path + ".") + filter.spelled(field);
                        composite(longer, field, inner);
                        visit(longer, field, inner);
                    });
                default -> {
                    if (filter.takes(path)) {
                        pairs.add(Map.entry(namesOnly ? name : path, value));
                    }
                }
            }
        }

        private void composite(String path, String name, Value value) {
            if (filter.composites() && (value.isArray() || value.isObject()) && filter.takes(path)) {
                pairs.add(Map.entry(namesOnly ? name : path, value));
            }
        }
    }

    // ---- OBJECT_FILTER

    private static Value filter(Value[] args, FunctionContext context) {
        if (refused(args)) {
            return Args.unknown(args);
        }
        PathFilter filter = new PathFilter(options(args), true, context);
        boolean subscripts = Args.flag(options(args), "arraysubscript", true);
        Value kept = keep(filter, subscripts, "", args[0], false);
        return kept == null ? Value.NULL : kept;
    }

    /** Returns the part of a value that the filter keeps, or null if it keeps nothing. */
    private static @Nullable Value keep(
            PathFilter filter, boolean subscripts, String prefix, Value value, boolean belowStar) {
        switch (value) {
            case ArrayValue array -> {
                List<Value> items = new ArrayList<>();
                for (int i = 0; i < array.size(); i++) {
                    String path = subscripts ? prefix + "[" + i + "]" : prefix;
                    Value item = keep(filter, subscripts, path, array.get(i), !subscripts);
                    if (item != null) {
                        items.add(item);
                    }
                }
                return items.isEmpty() ? null : ArrayValue.of(items);
            }
            case ObjectValue object -> {
                String base = prefix.isEmpty() ? "" : prefix + (belowStar ? "[*]." : ".");
                Map<String, Value> fields = new LinkedHashMap<>();
                object.fields().forEach((name, field) -> {
                    String path = base + filter.spelled(name);
                    Value kept = filter.composites() && filter.takes(path)
                            ? field
                            : keep(filter, subscripts, path, field, belowStar);
                    if (kept != null) {
                        fields.put(name, kept);
                    }
                });
                return fields.isEmpty() ? null : ObjectValue.of(fields);
            }
            default -> {
                return !filter.composites() && filter.takes(prefix) ? value : null;
            }
        }
    }

    // ---- paths as text

    private static Value field(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof ObjectValue object) || !(args[1] instanceof StringValue text)) {
            return Args.unknown(args);
        }
        return at(object, text);
    }

    /** Returns what is at a path, or NULL if the text is not a path. */
    static Value at(Value value, Value path) {
        List<Object> steps = path instanceof StringValue text ? PathText.parse(text.text()) : null;
        if (steps == null) {
            return Value.NULL;
        }
        Value at = value;
        for (Object step : steps) {
            at = step instanceof FieldName name ? at.field(name) : at.element((Integer) step);
        }
        return at;
    }

    private static Value removeFields(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args) || !args[0].isObject()) {
            return Args.unknown(args);
        }
        Value result = args[0];
        for (int i = 1; i < args.length; i++) {
            Iterable<Value> texts = args[i] instanceof ArrayValue array ? array : ArrayValue.of(args[i]);
            for (Value text : texts) {
                List<Object> path = text instanceof StringValue string ? PathText.parse(string.text()) : null;
                if (path == null) {
                    return Value.NULL;
                }
                result = without(result, path);
            }
        }
        return result;
    }

    /** Returns a value without the part at a path. */
    private static Value without(Value value, List<Object> path) {
        Object step = path.getFirst();
        List<Object> rest = path.subList(1, path.size());
        if (value instanceof ObjectValue object && step instanceof FieldName name) {
            Value inner = object.field(name);
            if (inner.isMissing()) {
                return value;
            }
            String actual = object.get(name.text()).isMissing()
                    ? object.fields().keySet().stream()
                            .filter(key -> key.equalsIgnoreCase(name.text()))
                            .findFirst()
                            .orElse(name.text())
                    : name.text();
            return object.with(actual, rest.isEmpty() ? Value.MISSING : without(inner, rest));
        }
        if (value instanceof ArrayValue array && step instanceof Integer index && index >= 0 && index < array.size()) {
            List<Value> items = new ArrayList<>(array.items());
            if (rest.isEmpty()) {
                items.remove(index.intValue());
            } else {
                items.set(index, without(array.get(index), rest));
            }
            return ArrayValue.of(items);
        }
        return value;
    }
}
