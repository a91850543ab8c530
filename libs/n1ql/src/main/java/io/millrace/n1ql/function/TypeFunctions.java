package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.Value.ValueType;
import java.util.EnumSet;
import java.util.Set;

/** Functions that test types and convert between them. */
final class TypeFunctions {

    private static final Set<ValueType> ATOMS = EnumSet.of(ValueType.BOOLEAN, ValueType.NUMBER, ValueType.STRING);

    private TypeFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, (args, context) -> Value.of(args[0].type().label()), "type", "type_name", "typename");
        registrar.add(1, 1, is(EnumSet.of(ValueType.ARRAY)), "is_array", "isarray");
        registrar.add(1, 1, is(ATOMS), "is_atom", "isatom");
        registrar.add(1, 1, is(EnumSet.of(ValueType.BINARY)), "is_binary", "is_bin", "isbinary", "isbin");
        registrar.add(1, 1, is(EnumSet.of(ValueType.BOOLEAN)), "is_boolean", "is_bool", "isboolean", "isbool");
        registrar.add(1, 1, is(EnumSet.of(ValueType.NUMBER)), "is_number", "is_num", "isnumber", "isnum");
        registrar.add(1, 1, is(EnumSet.of(ValueType.OBJECT)), "is_object", "is_obj", "isobject", "isobj");
        registrar.add(1, 1, is(EnumSet.of(ValueType.STRING)), "is_string", "is_str", "isstring", "isstr");
        registrar.add(1, 1, (args, context) -> toArray(args[0]), "to_array", "toarray");
        registrar.add(1, 1, (args, context) -> toAtom(args[0]), "to_atom", "toatom");
        registrar.add(1, 1, (args, context) -> toBoolean(args[0]), "to_boolean", "to_bool", "toboolean", "tobool");
        registrar.add(1, 2, (args, context) -> toNumber(args), "to_number", "to_num", "tonumber", "tonum");
        registrar.add(1, 1, (args, context) -> toObject(args[0]), "to_object", "to_obj", "toobject", "toobj");
        registrar.add(1, 1, (args, context) -> toText(args[0]), "to_string", "to_str", "tostring", "tostr");
    }

    private static FunctionSpec.Body is(Set<ValueType> types) {
        return (args, context) -> args[0].isUnknown() ? args[0] : Value.of(types.contains(args[0].type()));
    }

    private static Value toArray(Value value) {
        return value.isUnknown() || value.isArray() ? value : ArrayValue.of(value);
    }

    private static Value toAtom(Value value) {
        return switch (value) {
            case ArrayValue array -> array.size() == 1 ? toAtom(array.get(0)) : Value.NULL;
            case ObjectValue object ->
                object.size() == 1 ? toAtom(object.fields().values().iterator().next()) : Value.NULL;
            default -> value.isUnknown() || ATOMS.contains(value.type()) ? value : Value.NULL;
        };
    }

    private static Value toBoolean(Value value) {
        return value.isUnknown() ? value : Value.of(value.truth());
    }

    private static Value toObject(Value value) {
        return value.isUnknown() || value.isObject() ? value : ObjectValue.EMPTY;
    }

    /** The second argument has characters that are removed from a string before it is parsed. */
    private static Value toNumber(Value[] args) {
        Value value = args[0];
        if (args.length > 1 && !args[1].isString()) {
            return Args.unknown(args);
        }
        return switch (value) {
            case NumberValue number -> number;
            case StringValue string -> {
                String text = string.text();
                String dropped = args.length > 1 ? ((StringValue) args[1]).text() : "";
                Bounds.work(text.length(), dropped.length(), "TO_NUMBER()");
                for (int i = 0; i < dropped.length(); i++) {
                    text = text.replace(dropped.substring(i, i + 1), "");
                }
                yield number(text);
            }
            default -> value == Value.TRUE ? Value.of(1L) : value == Value.FALSE ? Value.of(0L) : Args.unknown(value);
        };
    }

    private static Value number(String text) {
        String trimmed = text.startsWith("+") ? text.substring(1) : text;
        if (Json.parse(trimmed) instanceof NumberValue number) {
            return number;
        }
        try {
            return trimmed.matches("-?[0-9.]+([eE][+-]?[0-9]+)?")
                    ? NumberValue.integerIfExact(Double.parseDouble(trimmed))
                    : Value.NULL;
        } catch (NumberFormatException e) {
            return Value.NULL;
        }
    }

    private static Value toText(Value value) {
        return switch (value) {
            case NumberValue number -> Value.of(number.text());
            case StringValue string -> string;
            case ArrayValue array -> Bounds.json(array, "TO_STRING()");
            case ObjectValue object -> Bounds.json(object, "TO_STRING()");
            default ->
                value.isUnknown() ? value : value.type() == ValueType.BOOLEAN ? Value.of(value.toJson()) : Value.NULL;
        };
    }
}
