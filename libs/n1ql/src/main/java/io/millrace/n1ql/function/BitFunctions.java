package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Value;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Functions of the 64 bits of integers; the lowest bit is number 1. */
final class BitFunctions {

    private BitFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(2, FunctionSpec.MANY, reduce((a, b) -> a & b), "bitand");
        registrar.add(2, FunctionSpec.MANY, reduce((a, b) -> a | b), "bitor");
        registrar.add(2, FunctionSpec.MANY, reduce((a, b) -> a ^ b), "bitxor");
        registrar.add(
                1,
                1,
                (args, context) -> Args.whole(args[0]) instanceof Long bits ? Value.of(~bits) : Args.unknown(args),
                "bitnot");
        registrar.add(2, 3, BitFunctions::shift, "bitshift");
        registrar.add(2, 2, (args, context) -> change(args, true), "bitset");
        registrar.add(2, 2, (args, context) -> change(args, false), "bitclear");
        registrar.add(2, 3, BitFunctions::test, "bittest", "isbitset");
    }

    private static FunctionSpec.Body reduce(LongBinaryOperator operator) {
        return (args, context) -> {
            long result = 0;
            boolean unknown = false;
            for (int i = 0; i < args.length; i++) {
                if (args[i].isMissing()) {
                    return Value.MISSING;
                }
                Long bits = Args.whole(args[i]);
                unknown |= bits == null;
                result = i == 0 || bits == null ? bits == null ? 0 : bits : operator.applyAsLong(result, bits);
            }
            return unknown ? Value.NULL : Value.of(result);
        };
    }

    /** Shifts left by a positive number, right by a negative one; fills with zeros, or rotates with {@code true}. */
    private static Value shift(Value[] args, FunctionContext context) {
        Long bits = Args.whole(args[0]);
        Long count = Args.whole(args[1]);
        Boolean rotate = args.length > 2 ? Args.bool(args[2]) : Boolean.FALSE;
        if (bits == null || count == null || rotate == null) {
            return Args.unknown(args);
        }
        if (rotate) {
            return Value.of(Long.rotateLeft(bits, (int) (count % Long.SIZE)));
        }
        LongUnaryOperator shifted = count >= 0 ? b -> b << count : b -> b >>> -count;
        return Value.of(Math.abs(count) >= Long.SIZE ? 0 : shifted.applyAsLong(bits));
    }

    private static Value change(Value[] args, boolean set) {
        Long bits = Args.whole(args[0]);
        Long mask = mask(args[1]);
        if (bits == null || mask == null) {
            return Args.unknown(args);
        }
        return Value.of(set ? bits | mask : bits & ~mask);
    }

    /** Tests whether all of the bits are set with {@code true}, else whether any is. */
    private static Value test(Value[] args, FunctionContext context) {
        Long bits = Args.whole(args[0]);
        Long mask = mask(args[1]);
        Boolean all = args.length > 2 ? Args.bool(args[2]) : Boolean.FALSE;
        if (bits == null || mask == null || all == null) {
            return Args.unknown(args);
        }
        return Value.of(all ? (bits & mask) == mask : (bits & mask) != 0);
    }

    private static @Nullable Long mask(Value positions) {
        long mask = 0;
        for (Value position : positions instanceof ArrayValue array ? array : ArrayValue.of(positions)) {
            Long number = Args.whole(position);
            if (number == null || number < 1 || number > Long.SIZE) {
                return null;
            }
            mask |= 1L << number - 1;
        }
        return mask;
    }
}
