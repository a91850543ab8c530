package io.millrace.n1ql.function;

import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import org.jspecify.annotations.Nullable;

/** What most functions ask of their arguments. */
final class Args {

    private Args() {}

    /** Returns MISSING when an argument is, else NULL. The answer of most functions to arguments of other types. */
    static Value unknown(Value... args) {
        for (Value arg : args) {
            if (arg.isMissing()) {
                return Value.MISSING;
            }
        }
        return Value.NULL;
    }

    static boolean anyMissing(Value... args) {
        for (Value arg : args) {
            if (arg.isMissing()) {
                return true;
            }
        }
        return false;
    }

    static @Nullable String text(Value value) {
        return value instanceof StringValue string ? string.text() : null;
    }

    /** Returns a whole number, or null. */
    static @Nullable Long whole(Value value) {
        return value instanceof NumberValue number && number.isWhole() ? number.longValue() : null;
    }

    static @Nullable Boolean bool(Value value) {
        return value == Value.TRUE ? Boolean.TRUE : value == Value.FALSE ? Boolean.FALSE : null;
    }

    /** Returns an option of an object argument, or MISSING. */
    static Value option(Value options, String name) {
        return options instanceof ObjectValue object ? object.get(name) : Value.MISSING;
    }

    static boolean flag(Value options, String name, boolean otherwise) {
        Boolean value = bool(option(options, name));
        return value == null ? otherwise : value;
    }

    /** A function of one string. */
    static Functions.Body ofString(java.util.function.Function<String, Value> body) {
        return (args, context) -> args[0] instanceof StringValue string ? body.apply(string.text()) : unknown(args[0]);
    }

    /** A function of one number. */
    static Functions.Body ofNumber(java.util.function.Function<NumberValue, Value> body) {
        return (args, context) -> args[0] instanceof NumberValue number ? body.apply(number) : unknown(args[0]);
    }

    /** A function of one array. */
    static Functions.Body ofArray(java.util.function.Function<ArrayValue, Value> body) {
        return (args, context) -> args[0] instanceof ArrayValue array ? body.apply(array) : unknown(args[0]);
    }

    /** A function of one object. */
    static Functions.Body ofObject(java.util.function.Function<ObjectValue, Value> body) {
        return (args, context) -> args[0] instanceof ObjectValue object ? body.apply(object) : unknown(args[0]);
    }

    /** A function of two strings. */
    static Functions.Body ofStrings(java.util.function.BiFunction<String, String, Value> body) {
        return (args, context) -> args[0] instanceof StringValue left && args[1] instanceof StringValue right
                ? body.apply(left.text(), right.text())
                : unknown(args);
    }
}
