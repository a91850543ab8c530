package io.millrace.n1ql.function;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.function.DoubleBinaryOperator;

/** The operators of the language, with its rules for MISSING, NULL and other types. */
public final class Operators {

    private Operators() {}

    // ---- arithmetic

    public static Value add(Value left, Value right) {
        if (left instanceof NumberValue a && right instanceof NumberValue b) {
            if (a.isInteger() && b.isInteger()) {
                long sum = a.longValue() + b.longValue();
                boolean overflow = ((a.longValue() ^ sum) & (b.longValue() ^ sum)) < 0;
                return overflow ? Value.of(a.doubleValue() + b.doubleValue()) : Value.of(sum);
            }
            return Value.of(a.doubleValue() + b.doubleValue());
        }
        return Args.unknown(left, right);
    }

    public static Value subtract(Value left, Value right) {
        if (left instanceof NumberValue a && right instanceof NumberValue b) {
            if (a.isInteger() && b.isInteger()) {
                long difference = a.longValue() - b.longValue();
                boolean overflow = ((a.longValue() ^ b.longValue()) & (a.longValue() ^ difference)) < 0;
                return overflow ? Value.of(a.doubleValue() - b.doubleValue()) : Value.of(difference);
            }
            return Value.of(a.doubleValue() - b.doubleValue());
        }
        return Args.unknown(left, right);
    }

    public static Value multiply(Value left, Value right) {
        if (left instanceof NumberValue a && right instanceof NumberValue b) {
            if (a.isInteger() && b.isInteger()) {
                long high = Math.multiplyHigh(a.longValue(), b.longValue());
                long low = a.longValue() * b.longValue();
                boolean fits = high == 0 && low >= 0 || high == -1 && low < 0;
                return fits ? Value.of(low) : Value.of(a.doubleValue() * b.doubleValue());
            }
            return Value.of(a.doubleValue() * b.doubleValue());
        }
        return Args.unknown(left, right);
    }

    /** Never an integer division: 7/2 is 3.5. */
    public static Value divide(Value left, Value right, FunctionContext context) {
        return byDivisor(left, right, context, (a, b) -> a / b);
    }

    public static Value modulo(Value left, Value right, FunctionContext context) {
        if (left instanceof NumberValue a
                && right instanceof NumberValue b
                && a.isInteger()
                && b.isInteger()
                && b.longValue() != 0) {
            return Value.of(a.longValue() % b.longValue());
        }
        return byDivisor(left, right, context, (a, b) -> a % b);
    }

    public static Value integerDivide(Value left, Value right, FunctionContext context) {
        return integers(left, right, context, true);
    }

    public static Value integerModulo(Value left, Value right, FunctionContext context) {
        return integers(left, right, context, false);
    }

    private static Value byDivisor(Value left, Value right, FunctionContext context, DoubleBinaryOperator operator) {
        if (left instanceof NumberValue a && right instanceof NumberValue b) {
            if (b.doubleValue() == 0) {
                return dividedByZero(context);
            }
            return NumberValue.integerIfExact(operator.applyAsDouble(a.doubleValue(), b.doubleValue()));
        }
        return Args.unknown(left, right);
    }

    private static Value integers(Value left, Value right, FunctionContext context, boolean quotient) {
        if (left instanceof NumberValue a && right instanceof NumberValue b) {
            if (b.longValue() == 0) {
                return dividedByZero(context);
            }
            return Value.of(quotient ? a.longValue() / b.longValue() : a.longValue() % b.longValue());
        }
        return Args.unknown(left, right);
    }

    private static Value dividedByZero(FunctionContext context) {
        context.warn(ErrorCode.DIVIDE_BY_ZERO, "Division by 0.");
        return Value.NULL;
    }

    public static Value negate(Value value) {
        if (value instanceof NumberValue number) {
            return number.isInteger() && number.longValue() != Long.MIN_VALUE
                    ? Value.of(-number.longValue())
                    : Value.of(-number.doubleValue());
        }
        return Args.unknown(value);
    }

    public static Value concat(Value left, Value right) {
        if (left instanceof StringValue a && right instanceof StringValue b) {
            Bounds.length((long) a.text().length() + b.text().length(), "||");
            return Value.of(a.text() + b.text());
        }
        return Args.unknown(left, right);
    }

    // ---- comparison

    public static Value less(Value left, Value right) {
        return left.isUnknown() || right.isUnknown() ? Args.unknown(left, right) : Value.of(left.compareTo(right) < 0);
    }

    public static Value lessOrEqual(Value left, Value right) {
        return left.isUnknown() || right.isUnknown() ? Args.unknown(left, right) : Value.of(left.compareTo(right) <= 0);
    }

    public static Value notEqual(Value left, Value right) {
        return not(left.eq(right));
    }

    public static Value between(Value value, Value low, Value high) {
        if (value.isUnknown() || low.isUnknown() || high.isUnknown()) {
            return Args.unknown(value, low, high);
        }
        return Value.of(value.compareTo(low) >= 0 && value.compareTo(high) <= 0);
    }

    /** Equality for which MISSING and NULL are values like others. */
    public static Value distinct(Value left, Value right) {
        return Value.of(left.compareTo(right) != 0);
    }

    // ---- logic

    public static Value not(Value value) {
        return value.isUnknown() ? value : Value.of(!value.truth());
    }

    /** FALSE beats MISSING beats NULL beats TRUE. */
    public static Value and(Value left, Value right) {
        Value a = left.isUnknown() ? left : Value.of(left.truth());
        Value b = right.isUnknown() ? right : Value.of(right.truth());
        if (a == Value.FALSE || b == Value.FALSE) {
            return Value.FALSE;
        }
        if (a.isMissing() || b.isMissing()) {
            return Value.MISSING;
        }
        return a.isNull() || b.isNull() ? Value.NULL : Value.TRUE;
    }

    /** TRUE beats NULL beats MISSING beats FALSE. */
    public static Value or(Value left, Value right) {
        Value a = left.isUnknown() ? left : Value.of(left.truth());
        Value b = right.isUnknown() ? right : Value.of(right.truth());
        if (a == Value.TRUE || b == Value.TRUE) {
            return Value.TRUE;
        }
        if (a.isNull() || b.isNull()) {
            return Value.NULL;
        }
        return a.isMissing() || b.isMissing() ? Value.MISSING : Value.FALSE;
    }

    // ---- collections

    public static Value in(Value value, Value list) {
        if (value.isMissing() || list.isMissing()) {
            return Value.MISSING;
        }
        if (!(list instanceof ArrayValue array)) {
            return Value.NULL;
        }
        boolean missing = false;
        boolean unknown = false;
        for (Value item : array) {
            Value equal = value.eq(item);
            if (equal == Value.TRUE) {
                return Value.TRUE;
            }
            missing |= equal.isMissing();
            unknown |= equal.isNull();
        }
        if (unknown) {
            return Value.NULL;
        }
        return missing ? Value.MISSING : Value.FALSE;
    }

    /** Like IN, at any depth of arrays and objects. */
    public static Value within(Value value, Value tree) {
        if (value.isMissing() || tree.isMissing()) {
            return Value.MISSING;
        }
        if (!tree.isArray() && !tree.isObject() || value.isNull()) {
            return Value.NULL;
        }
        return Value.of(isWithin(value, tree));
    }

    private static boolean isWithin(Value value, Value tree) {
        Iterable<Value> children = switch (tree) {
            case ArrayValue array -> array.items();
            case ObjectValue object -> object.fields().values();
            default -> java.util.List.of();
        };
        for (Value child : children) {
            if (value.eq(child) == Value.TRUE || isWithin(value, child)) {
                return true;
            }
        }
        return false;
    }

    public static Value exists(Value value) {
        if (value instanceof ArrayValue array) {
            return Value.of(array.size() > 0);
        }
        return value.isMissing() ? Value.MISSING : value.isNull() ? Value.NULL : Value.FALSE;
    }

    // ---- navigation

    public static Value element(Value value, Value index) {
        if (value.isMissing() || index.isMissing()) {
            return Value.MISSING;
        }
        if (!(index instanceof NumberValue number)) {
            return value.isNull() || !value.isArray() ? Value.MISSING : Value.NULL;
        }
        if (!number.isWhole()) {
            return value.isArray() ? Value.NULL : Value.MISSING;
        }
        return value.element(number.longValue());
    }

    /** From the start to before the end; negative positions count from the end. */
    public static Value slice(Value value, Value from, Value to, boolean toGiven) {
        if (Args.anyMissing(value, from) || toGiven && to.isMissing()) {
            return Value.MISSING;
        }
        Long start = Args.whole(from);
        Long end = toGiven ? Args.whole(to) : Long.valueOf(Long.MAX_VALUE);
        if (start == null || end == null) {
            return Value.NULL;
        }
        if (!(value instanceof ArrayValue array)) {
            return value.isNull() ? Value.NULL : Value.MISSING;
        }
        int size = array.size();
        long first = start < 0 ? start + size : start;
        long last = end == Long.MAX_VALUE ? size : end < 0 ? end + size : end;
        if (first < 0 || first > last || first > size || last > size) {
            return Value.MISSING;
        }
        return ArrayValue.of(array.items().subList((int) first, (int) last));
    }
}
