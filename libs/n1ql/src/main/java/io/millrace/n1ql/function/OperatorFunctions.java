package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.function.text.Like;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;

/** Operators as functions. */
final class OperatorFunctions {

    private OperatorFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        arithmetic(registrar);
        registrar.add(2, 2, (args, context) -> args[0].eq(args[1]), "eq");
        registrar.add(2, 2, (args, context) -> Operators.less(args[0], args[1]), "lt");
        registrar.add(2, 2, (args, context) -> Operators.lessOrEqual(args[0], args[1]), "le");
        registrar.add(3, 3, (args, context) -> Operators.between(args[0], args[1], args[2]), "between");
        registrar.add(2, 3, OperatorFunctions::like, "like");
        registrar.add(2, 2, (args, context) -> Operators.in(args[0], args[1]), "in");
        registrar.add(2, 2, (args, context) -> Operators.within(args[0], args[1]), "within");
        registrar.add(1, 1, (args, context) -> Operators.exists(args[0]), "exists");
        registrar.add(1, 1, (args, context) -> Operators.not(args[0]), "not");
        registrar.add(2, FunctionSpec.MANY, (args, context) -> fold(args, true), "and");
        registrar.add(2, FunctionSpec.MANY, (args, context) -> fold(args, false), "or");
        registrar.add(2, 2, (args, context) -> Operators.element(args[0], args[1]), "element");
        registrar.add(2, 2, OperatorFunctions::field, "field");
        registrar.add(
                2,
                3,
                (args, context) ->
                        Operators.slice(args[0], args[1], args.length > 2 ? args[2] : Value.NULL, args.length > 2),
                "slice");
        registrar.add(0, FunctionSpec.MANY, (args, context) -> ArrayValue.of(args.clone()), "array");
        registrar.add(2, FunctionSpec.MANY, OperatorFunctions::concat, "concat");
        registrar.add(2, FunctionSpec.MANY, OperatorFunctions::concatWith, "concat2");
        unknowns(registrar);
    }

    private static void arithmetic(FunctionSpec.Registrar registrar) {
        registrar.add(2, FunctionSpec.MANY, (args, context) -> reduce(args, Operators::add), "add");
        registrar.add(2, FunctionSpec.MANY, (args, context) -> reduce(args, Operators::multiply), "mult");
        registrar.add(2, 2, (args, context) -> Operators.subtract(args[0], args[1]), "sub");
        registrar.add(2, 2, (args, context) -> Operators.divide(args[0], args[1], context), "div");
        registrar.add(2, 2, (args, context) -> Operators.modulo(args[0], args[1], context), "mod");
        registrar.add(2, 2, (args, context) -> Operators.integerDivide(args[0], args[1], context), "idiv");
        registrar.add(2, 2, (args, context) -> Operators.integerModulo(args[0], args[1], context), "imod");
        registrar.add(1, 1, (args, context) -> Operators.negate(args[0]), "neg");
    }

    private static void unknowns(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, (args, context) -> isNull(args[0]), "is_null", "isnull");
        registrar.add(1, 1, (args, context) -> Operators.not(isNull(args[0])), "is_not_null", "isnotnull");
        registrar.add(1, 1, (args, context) -> Value.of(args[0].isMissing()), "is_missing", "ismissing");
        registrar.add(1, 1, (args, context) -> Value.of(!args[0].isMissing()), "is_not_missing", "isnotmissing");
        registrar.add(
                1,
                1,
                (args, context) -> Value.of(!args[0].isUnknown()),
                "is_valued",
                "isvalued",
                "is_known",
                "isknown",
                "is_not_unknown",
                "isnotunknown");
        registrar.add(
                1,
                1,
                (args, context) -> Value.of(args[0].isUnknown()),
                "is_not_valued",
                "isnotvalued",
                "is_not_known",
                "isnotknown",
                "is_unknown",
                "isunknown");
    }

    static Value isNull(Value value) {
        return value.isMissing() ? Value.MISSING : Value.of(value.isNull());
    }

    private static Value reduce(Value[] args, java.util.function.BinaryOperator<Value> operator) {
        Value result = args[0];
        for (int i = 1; i < args.length; i++) {
            result = operator.apply(result, args[i]);
        }
        return result;
    }

    private static Value fold(Value[] args, boolean and) {
        return reduce(args, and ? Operators::and : Operators::or);
    }

    private static Value like(Value[] args, FunctionContext context) {
        Value escape = args.length > 2 ? args[2] : Value.of("\\");
        return Like.matches(args[0], args[1], escape, context);
    }

    private static Value field(Value[] args, FunctionContext context) {
        if (args[0].isMissing() || args[1].isMissing()) {
            return Value.MISSING;
        }
        return args[1] instanceof StringValue name ? args[0].field(FieldName.of(name.text())) : Value.NULL;
    }

    private static Value concat(Value[] args, FunctionContext context) {
        StringBuilder text = new StringBuilder();
        boolean unknown = false;
        for (Value arg : args) {
            if (arg.isMissing()) {
                return Value.MISSING;
            }
            if (arg instanceof StringValue string) {
                Bounds.length((long) text.length() + string.text().length(), "CONCAT()");
                text.append(string.text());
            } else {
                unknown = true;
            }
        }
        return unknown ? Value.NULL : Value.of(text.toString());
    }

    /** Joins the arguments after the first with the first as separator; flattens arrays and skips unknown values. */
    private static Value concatWith(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue separator)) {
            return Args.unknown(args[0]);
        }
        StringBuilder text = new StringBuilder();
        boolean[] first = {true};
        for (int i = 1; i < args.length; i++) {
            Iterable<Value> parts = args[i] instanceof ArrayValue array ? array : ArrayValue.of(args[i]);
            for (Value part : parts) {
                if (part instanceof StringValue string) {
                    String between = first[0] ? "" : separator.text();
                    Bounds.length(
                            (long) text.length()
                                    + between.length()
                                    + string.text().length(),
                            "CONCAT2()");
                    text.append(between).append(string.text());
                    first[0] = false;
                } else if (!part.isUnknown()) {
                    return Value.NULL;
                }
            }
        }
        return Value.of(text.toString());
    }
}
