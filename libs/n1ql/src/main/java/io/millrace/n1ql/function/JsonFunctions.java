package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.BinaryValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.Value.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions of JSON text and base64. */
final class JsonFunctions {

    private JsonFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, JsonFunctions::encode, "encode_json", "json_encode");
        registrar.add(1, 1, JsonFunctions::decode, "decode_json", "json_decode");
        registrar.add(1, 1, JsonFunctions::encodedSize, "encoded_size");
        registrar.add(1, 1, JsonFunctions::polyLength, "poly_length");
        registrar.add(1, 1, JsonFunctions::length, "len");
        registrar.add(1, 1, JsonFunctions::pairs, "pairs");
        registrar.add(1, 1, JsonFunctions::encodeBase64, "base64", "base64_encode", "encode_base64");
        registrar.add(1, 1, JsonFunctions::decodeBase64, "base64_decode", "decode_base64");
    }

    /** Returns a value whose text is canonical: names in order, no spaces. */
    static Value canonical(Value value) {
        return switch (value) {
            case ObjectValue object -> {
                Map<String, Value> fields = new LinkedHashMap<>();
                object.sortedNames().forEach(name -> fields.put(name, canonical(object.get(name))));
                yield ObjectValue.of(fields);
            }
            case ArrayValue array ->
                ArrayValue.of(
                        array.items().stream().map(JsonFunctions::canonical).toList());
            case NumberValue number -> number.isInteger() ? number : NumberValue.of(number.doubleValue());
            default -> value;
        };
    }

    private static Value encode(Value[] args, FunctionContext context) {
        return args[0].isMissing() ? Value.MISSING : Bounds.json(canonical(args[0]), "ENCODE_JSON()");
    }

    private static Value decode(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text)) {
            return Args.unknown(args);
        }
        if (text.text().isBlank()) {
            return Value.MISSING;
        }
        Value value = Json.parse(text.text());
        return value == null ? Value.NULL : value;
    }

    private static Value encodedSize(Value[] args, FunctionContext context) {
        return args[0].isMissing()
                ? Value.MISSING
                : Value.of((long) canonical(args[0]).toJsonBytes().length);
    }

    private static Value polyLength(Value[] args, FunctionContext context) {
        return switch (args[0]) {
            case StringValue text -> Value.of((long) Args.utf8(text.text()).length);
            case ArrayValue array -> Value.of((long) array.size());
            case ObjectValue object -> Value.of((long) object.size());
            case BinaryValue binary -> Value.of((long) binary.bytes().length);
            default -> Args.unknown(args);
        };
    }

    /** Returns the length of a value, also of atoms: 1 for a boolean, the length of the text for a number. */
    private static Value length(Value[] args, FunctionContext context) {
        return switch (args[0]) {
            case NumberValue number -> Value.of((long) number.text().length());
            default -> args[0].type() == ValueType.BOOLEAN ? Value.of(1L) : polyLength(args, context);
        };
    }

    /** All fields at any depth as arrays of name and value; of arrays each element is one. */
    private static Value pairs(Value[] args, FunctionContext context) {
        if (args[0].isMissing()) {
            return Value.MISSING;
        }
        List<Value> pairs = new ArrayList<>();
        collectPairs(args[0], pairs);
        return pairs.isEmpty() && !args[0].isObject() && !args[0].isArray() ? Value.NULL : ArrayValue.of(pairs);
    }

    private static void collectPairs(Value value, List<Value> pairs) {
        if (value instanceof ArrayValue array) {
            array.forEach(item -> collectPairs(item, pairs));
        } else if (value instanceof ObjectValue object) {
            for (String name : object.sortedNames()) {
                Value field = object.get(name);
                pairs.add(ArrayValue.of(Value.of(name), field));
                if (field instanceof ArrayValue array) {
                    array.forEach(item -> pairs.add(ArrayValue.of(Value.of(name), item)));
                }
                collectPairs(field, pairs);
            }
        }
    }

    private static Value encodeBase64(Value[] args, FunctionContext context) {
        if (args[0].isMissing()) {
            return Value.MISSING;
        }
        byte[] bytes = args[0] instanceof BinaryValue binary
                ? binary.bytes()
                : canonical(args[0]).toJsonBytes();
        return Value.of(Base64.getEncoder().encodeToString(bytes));
    }

    private static Value decodeBase64(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text)) {
            return Args.unknown(args);
        }
        String digits = text.text().replace("\r", "").replace("\n", "");
        if (digits.length() % 4 != 0) {
            return Value.NULL; // the padding of the last group is required
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(digits.getBytes(StandardCharsets.UTF_8));
            Value value = Json.parse(bytes);
            return value == null ? new BinaryValue(bytes) : value;
        } catch (IllegalArgumentException e) {
            return Value.NULL;
        }
    }
}
