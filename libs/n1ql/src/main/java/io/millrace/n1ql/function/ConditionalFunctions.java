package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;

/** Functions that choose between their arguments. */
final class ConditionalFunctions {

    private ConditionalFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(2, FunctionSpec.MANY, first(value -> !value.isMissing()), "ifmissing", "if_missing");
        registrar.add(2, FunctionSpec.MANY, first(value -> !value.isNull()), "ifnull", "if_null");
        registrar.add(
                2,
                FunctionSpec.MANY,
                first(value -> !value.isUnknown()),
                "ifmissingornull",
                "if_missing_or_null",
                "coalesce");
        registrar.add(2, 2, (args, context) -> args[0].isUnknown() ? args[1] : args[0], "nvl");
        registrar.add(3, 3, (args, context) -> args[0].isUnknown() ? args[2] : args[1], "nvl2");
        registrar.add(2, 2, whenEqual(Value.MISSING), "missingif", "missing_if");
        registrar.add(2, 2, whenEqual(Value.NULL), "nullif", "null_if");
        registrar.add(2, 2, whenEqual(Value.of(Double.NaN)), "nanif", "nan_if");
        registrar.add(2, 2, whenEqual(Value.of(Double.POSITIVE_INFINITY)), "posinfif", "posinf_if");
        registrar.add(2, 2, whenEqual(Value.of(Double.NEGATIVE_INFINITY)), "neginfif", "neginf_if");
        registrar.add(2, FunctionSpec.MANY, firstNumber(Double::isInfinite), "ifinf", "if_inf");
        registrar.add(2, FunctionSpec.MANY, firstNumber(Double::isNaN), "ifnan", "if_nan");
        registrar.add(
                2, FunctionSpec.MANY, firstNumber(value -> !Double.isFinite(value)), "ifnanorinf", "if_nan_or_inf");
        registrar.add(3, FunctionSpec.MANY, ConditionalFunctions::decode, "decode");
        registrar.add(1, FunctionSpec.MANY, (args, context) -> extreme(args, 1), "greatest");
        registrar.add(1, FunctionSpec.MANY, (args, context) -> extreme(args, -1), "least");
    }

    private static FunctionSpec.Body first(Predicate<Value> wanted) {
        return (args, context) -> {
            for (Value arg : args) {
                if (wanted.test(arg)) {
                    return arg;
                }
            }
            return Value.NULL;
        };
    }

    private static FunctionSpec.Body whenEqual(Value result) {
        return (args, context) -> {
            Value equal = args[0].eq(args[1]);
            return equal == Value.TRUE ? result : equal == Value.FALSE ? args[0] : equal;
        };
    }

    /** Returns the first accepted number; a value that is not a number ends the search. */
    private static FunctionSpec.Body firstNumber(DoublePredicate refused) {
        return (args, context) -> {
            for (Value arg : args) {
                if (!(arg instanceof NumberValue number)) {
                    return Args.unknown(arg);
                }
                if (!refused.test(number.doubleValue())) {
                    return arg;
                }
            }
            return Value.NULL;
        };
    }

    private static Value decode(Value[] args, FunctionContext context) {
        int at = 1;
        while (at + 1 < args.length) {
            if (args[0].equals(args[at])) {
                return args[at + 1];
            }
            at += 2;
        }
        return at < args.length ? args[at] : Value.NULL;
    }

    private static Value extreme(Value[] args, int sign) {
        Value best = Value.NULL;
        for (Value arg : args) {
            if (!arg.isUnknown() && (best.isNull() || arg.compareTo(best) * sign > 0)) {
                best = arg;
            }
        }
        return best;
    }
}
