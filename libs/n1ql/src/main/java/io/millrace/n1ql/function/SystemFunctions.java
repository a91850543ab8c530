package io.millrace.n1ql.function;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Functions of the request and the engine, and others without a family. */
final class SystemFunctions {

    /** The version of the language. */
    private static final String LANGUAGE_VERSION = "7.6.0-N1QL";

    private SystemFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.addUnstable(
                0, 0, (args, context) -> Value.of(UUID.randomUUID().toString()), "uuid");
        registrar.addUnstable(0, 0, (args, context) -> Value.of(LANGUAGE_VERSION), "version");
        registrar.addUnstable(0, 0, (args, context) -> Value.of(LANGUAGE_VERSION), "min_version");
        registrar.addUnstable(0, 0, (args, context) -> Value.of("7.6.0"), "ds_version");
        registrar.addUnstable(0, 0, (args, context) -> context.engineFunction("node_name", args), "node_name");
        registrar.addUnstable(1, 1, (args, context) -> context.engineFunction("node_uuid", args), "node_uuid");
        registrar.addUnstable(0, 0, (args, context) -> context.engineFunction("current_users", args), "current_users");
        registrar.addUnstable(1, 1, SystemFunctions::abort, "abort");
        registrar.addUnstable(1, 2, (args, context) -> context.engineFunction("evaluate", args), "evaluate");
        registrar.addUnstable(1, 1, (args, context) -> context.engineFunction("advisor", args), "advisor");
        registrar.addUnstable(0, 2, (args, context) -> context.engineFunction("extractddl", args), "extractddl");
        registrar.addUnstable(
                1, 2, (args, context) -> context.engineFunction("formalize", args), "formalize", "formalise");
        registrar.addUnstable(2, 3, (args, context) -> context.engineFunction("recursive_cte", args), "recursive_cte");
        registrar.add(1, 1, ErrorSearch::apply, "finderr");
        registrar.add(1, 1, (args, context) -> successor(args[0]), "successor");
        registrar.add(1, FunctionSpec.MANY, (args, context) -> ArrayValue.of(args.clone()), "flatten_keys");
    }

    private static Value abort(Value[] args, FunctionContext context) {
        String why = args[0].toJson();
        throw QueryException.of(io.millrace.n1ql.ErrorCode.ABORT, "Abort: %s. - cause: %s".formatted(why, why));
    }

    /** Returns the next value in collation order. */
    private static Value successor(Value value) {
        return switch (value) {
            case NumberValue number -> Value.of(Math.nextUp(number.doubleValue()));
            case StringValue text -> Value.of(text.text() + " ");
            case ArrayValue array ->
                array.size() == 0
                        ? ArrayValue.of(Value.NULL)
                        : ArrayValue.of(java.util.stream.Stream.concat(
                                        array.items().stream().limit(array.size() - 1L),
                                        java.util.stream.Stream.of(successor(array.get(array.size() - 1))))
                                .toList());
            case ObjectValue object -> successorOf(object);
            default ->
                value.isMissing()
                        ? Value.NULL
                        : value.isNull()
                                ? Value.FALSE
                                : value == Value.FALSE ? Value.TRUE : Value.of(-Double.MAX_VALUE);
        };
    }

    private static Value successorOf(ObjectValue object) {
        if (object.size() == 0) {
            return ObjectValue.of("", Value.NULL);
        }
        Map<String, Value> fields = new LinkedHashMap<>(object.fields());
        String last = object.sortedNames().getLast();
        fields.put(last, successor(object.get(last)));
        return ObjectValue.of(fields);
    }
}
