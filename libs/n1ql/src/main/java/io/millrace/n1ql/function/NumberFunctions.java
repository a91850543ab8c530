package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Functions of numbers. */
final class NumberFunctions {

    private static final int MOST_DIGITS = 308;

    private NumberFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        trigonometry(registrar);
        constants(registrar);
        registrar.add(1, 1, Args.ofNumber(NumberFunctions::abs), "abs");
        registrar.add(1, 1, Args.ofNumber(NumberFunctions::sign), "sign");
        registrar.add(1, 1, whole(Math::ceil), "ceil");
        registrar.add(1, 1, whole(Math::floor), "floor");
        registrar.add(1, 1, real(Math::exp), "exp");
        registrar.add(1, 1, real(Math::log), "ln");
        registrar.add(1, 1, real(Math::log10), "log");
        registrar.add(1, 1, real(Math::sqrt), "sqrt");
        registrar.add(2, 2, NumberFunctions::power, "power");
        registrar.add(1, 2, rounding(Math::rint), "round", "round_even");
        registrar.add(1, 2, rounding(NumberFunctions::halfAway), "round_nearest");
        registrar.add(1, 2, rounding(NumberFunctions::toZero), "trunc");
        registrar.addUnstable(0, 1, NumberFunctions::random, "random");
    }

    private static void trigonometry(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, real(Math::acos), "acos");
        registrar.add(1, 1, real(Math::asin), "asin");
        registrar.add(1, 1, real(Math::atan), "atan");
        registrar.add(2, 2, NumberFunctions::atan2, "atan2");
        registrar.add(1, 1, real(Math::cos), "cos");
        registrar.add(1, 1, real(Math::sin), "sin");
        registrar.add(1, 1, real(Math::tan), "tan");
        registrar.add(1, 1, real(radians -> radians * 180 / Math.PI), "degrees", "deg");
        registrar.add(1, 1, real(degrees -> degrees * Math.PI / 180), "radians", "rad");
    }

    private static void constants(FunctionSpec.Registrar registrar) {
        registrar.add(0, 0, (args, context) -> Value.of(Math.PI), "pi");
        registrar.add(0, 0, (args, context) -> Value.of(Math.E), "e");
        registrar.add(0, 0, (args, context) -> Value.of(Double.NaN), "nan");
        registrar.add(0, 0, (args, context) -> Value.of(Double.POSITIVE_INFINITY), "posinf", "pos_inf", "inf");
        registrar.add(0, 0, (args, context) -> Value.of(Double.NEGATIVE_INFINITY), "neginf", "neg_inf");
    }

    /** An integer is returned as it is: as a double it could lose its last digits. */
    private static FunctionSpec.Body whole(DoubleUnaryOperator operator) {
        return Args.ofNumber(number ->
                number.isInteger() ? number : NumberValue.integerIfExact(operator.applyAsDouble(number.doubleValue())));
    }

    private static FunctionSpec.Body real(DoubleUnaryOperator operator) {
        return Args.ofNumber(number -> NumberValue.integerIfExact(operator.applyAsDouble(number.doubleValue())));
    }

    private static Value abs(NumberValue number) {
        return number.isInteger() && number.longValue() != Long.MIN_VALUE
                ? Value.of(Math.abs(number.longValue()))
                : Value.of(Math.abs(number.doubleValue()));
    }

    private static Value sign(NumberValue number) {
        double value = number.doubleValue();
        return Value.of(value < 0 ? -1L : value > 0 ? 1L : 0L);
    }

    private static Value atan2(Value[] args, FunctionContext context) {
        return args[0] instanceof NumberValue y && args[1] instanceof NumberValue x
                ? Value.of(Math.atan2(y.doubleValue(), x.doubleValue()))
                : Args.unknown(args);
    }

    private static Value power(Value[] args, FunctionContext context) {
        return args[0] instanceof NumberValue base && args[1] instanceof NumberValue exponent
                ? NumberValue.integerIfExact(Math.pow(base.doubleValue(), exponent.doubleValue()))
                : Args.unknown(args);
    }

    /** Rounds to a number of decimal places; a negative one rounds to tens, hundreds. */
    private static FunctionSpec.Body rounding(DoubleUnaryOperator operator) {
        return (args, context) -> {
            if (!(args[0] instanceof NumberValue number)) {
                return Args.unknown(args);
            }
            if (args.length == 1) {
                return number.isInteger() ? number : whole(operator.applyAsDouble(number.doubleValue()));
            }
            Long places = Args.whole(args[1]);
            if (places == null) {
                return Args.unknown(args);
            }
            int digits = (int) Math.max(-MOST_DIGITS, Math.min(MOST_DIGITS, places));
            if (number.isInteger() && digits >= 0) {
                return number;
            }
            double scale = Math.pow(10, Math.abs(digits));
            double value = number.doubleValue();
            double rounded = digits < 0
                    ? operator.applyAsDouble(value / scale) * scale
                    : operator.applyAsDouble(value * scale) / scale;
            return whole(Double.isFinite(rounded) ? rounded : value);
        };
    }

    private static Value whole(double value) {
        return NumberValue.integerIfExact(value);
    }

    private static double halfAway(double value) {
        return value < 0 ? -Math.floor(-value + 0.5) : Math.floor(value + 0.5);
    }

    private static double toZero(double value) {
        return value < 0 ? Math.ceil(value) : Math.floor(value);
    }

    private static Value random(Value[] args, FunctionContext context) {
        if (args.length == 0) {
            return Value.of(context.random().nextDouble());
        }
        Long seed = Args.whole(args[0]);
        if (seed == null) {
            return Args.unknown(args);
        }
        RandomGenerator seeded = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        return Value.of(seeded.nextDouble());
    }
}
