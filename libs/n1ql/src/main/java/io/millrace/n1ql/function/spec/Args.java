package io.millrace.n1ql.function.spec;

import com.google.re2j.Pattern;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Helpers to read the arguments of functions. */
public final class Args {

    private Args() {}

    /** Returns MISSING if an argument is MISSING, else NULL: the result of most functions for unexpected types. */
    public static Value unknown(Value... args) {
        for (Value arg : args) {
            if (arg.isMissing()) {
                return Value.MISSING;
            }
        }
        return Value.NULL;
    }

    public static boolean anyMissing(Value... args) {
        for (Value arg : args) {
            if (arg.isMissing()) {
                return true;
            }
        }
        return false;
    }

    public static @Nullable String text(Value value) {
        return value instanceof StringValue string ? string.text() : null;
    }

    /** Returns a whole number, or null. */
    public static @Nullable Long whole(Value value) {
        return value instanceof NumberValue number && number.isWhole() ? number.longValue() : null;
    }

    public static @Nullable Boolean bool(Value value) {
        return value == Value.TRUE ? Boolean.TRUE : value == Value.FALSE ? Boolean.FALSE : null;
    }

    /** Returns an option of an object argument, or MISSING. */
    public static Value option(Value options, String name) {
        return options instanceof ObjectValue object ? object.get(name) : Value.MISSING;
    }

    public static boolean flag(Value options, String name, boolean otherwise) {
        Boolean value = bool(option(options, name));
        return value == null ? otherwise : value;
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a compiled regular expression; throws when the text is not one. */
    public static Pattern pattern(String regex, FunctionContext context) {
        Bounds.regularExpression(regex);
        Pattern pattern = context.pattern(regex);
        if (pattern == null) {
            throw QueryException.evaluation("not a regular expression: " + regex);
        }
        return pattern;
    }

    /** A function of one string. */
    public static FunctionSpec.Body ofString(java.util.function.Function<String, Value> body) {
        return (args, context) -> args[0] instanceof StringValue string ? body.apply(string.text()) : unknown(args[0]);
    }

    /** A function of one number. */
    public static FunctionSpec.Body ofNumber(java.util.function.Function<NumberValue, Value> body) {
        return (args, context) -> args[0] instanceof NumberValue number ? body.apply(number) : unknown(args[0]);
    }

    /** A function of one array. */
    public static FunctionSpec.Body ofArray(java.util.function.Function<ArrayValue, Value> body) {
        return (args, context) -> args[0] instanceof ArrayValue array ? body.apply(array) : unknown(args[0]);
    }

    /** A function of one object. */
    public static FunctionSpec.Body ofObject(java.util.function.Function<ObjectValue, Value> body) {
        return (args, context) -> args[0] instanceof ObjectValue object ? body.apply(object) : unknown(args[0]);
    }

    /** A function of two strings. */
    public static FunctionSpec.Body ofStrings(java.util.function.BiFunction<String, String, Value> body) {
        return (args, context) -> args[0] instanceof StringValue left && args[1] instanceof StringValue right
                ? body.apply(left.text(), right.text())
                : unknown(args);
    }
}
