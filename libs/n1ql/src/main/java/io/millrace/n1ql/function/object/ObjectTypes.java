package io.millrace.n1ql.function.object;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** OBJECT_TYPES() and OBJECT_TYPES_NESTED(): an object with the names of types instead of its values. */
final class ObjectTypes {

    private ObjectTypes() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, Args.ofObject(object -> replaced(object, ObjectTypes::type)), "object_types");
        registrar.add(1, 1, Args.ofObject(ObjectTypes::nested), "object_types_nested");
    }

    private static Value type(Value value) {
        return Value.of(value.type().label());
    }

    /** Arrays and objects keep their form, the values in them become names of types. */
    private static Value nested(Value value) {
        return switch (value) {
            case ObjectValue object -> replaced(object, ObjectTypes::nested);
            case ArrayValue array ->
                ArrayValue.of(array.items().stream().map(ObjectTypes::nested).toList());
            default -> type(value);
        };
    }

    private static Value replaced(ObjectValue object, UnaryOperator<Value> replacement) {
        Map<String, Value> fields = new LinkedHashMap<>();
        object.fields().forEach((name, value) -> fields.put(name, replacement.apply(value)));
        return ObjectValue.of(fields);
    }
}
