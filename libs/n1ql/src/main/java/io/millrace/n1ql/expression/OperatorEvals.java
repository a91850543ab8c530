package io.millrace.n1ql.expression;

import io.millrace.n1ql.function.Operators;
import io.millrace.n1ql.function.text.Like;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles operators. */
final class OperatorEvals {

    /** Lists of IN with at least this length are looked up in a set. */
    private static final int LONG_LIST = 16;

    private static final Value BACKSLASH = Value.of("\\");

    private OperatorEvals() {}

    static Eval of(Expr.Operation operation, Eval[] args) {
        Eval a = args[0];
        return switch (operation.op()) {
            case AND -> and(args);
            case OR -> or(args);
            case NOT -> frame -> Operators.not(a.eval(frame));
            case EQ, NE, LT, LE, GT, GE, IS_DISTINCT, IS_NOT_DISTINCT -> comparison(operation, a, args[1]);
            case IS_NULL, IS_NOT_NULL, IS_MISSING, IS_NOT_MISSING, IS_VALUED, IS_NOT_VALUED -> is(operation, a);
            case IN -> in(a, args[1]);
            case WITHIN -> frame -> Operators.within(a.eval(frame), args[1].eval(frame));
            case BETWEEN -> frame -> Operators.between(a.eval(frame), args[1].eval(frame), args[2].eval(frame));
            case LIKE -> like(a, args[1], args.length > 2 ? args[2] : null);
            case EXISTS -> frame -> Operators.exists(a.eval(frame));
            case NEGATE -> frame -> Operators.negate(a.eval(frame));
            case ADD -> frame -> Operators.add(a.eval(frame), args[1].eval(frame));
            case SUBTRACT -> frame -> Operators.subtract(a.eval(frame), args[1].eval(frame));
            case MULTIPLY -> frame -> Operators.multiply(a.eval(frame), args[1].eval(frame));
            case CONCAT -> frame -> Operators.concat(a.eval(frame), args[1].eval(frame));
            case DIVIDE -> frame -> Operators.divide(a.eval(frame), args[1].eval(frame), frame.execution());
            case MODULO -> frame -> Operators.modulo(a.eval(frame), args[1].eval(frame), frame.execution());
            case INTEGER_DIVIDE ->
                frame -> Operators.integerDivide(a.eval(frame), args[1].eval(frame), frame.execution());
            case INTEGER_MODULO ->
                frame -> Operators.integerModulo(a.eval(frame), args[1].eval(frame), frame.execution());
        };
    }

    /** Stops at the first FALSE. */
    private static Eval and(Eval[] args) {
        return frame -> {
            Value result = Value.TRUE;
            for (Eval arg : args) {
                result = Operators.and(result, arg.eval(frame));
                if (result == Value.FALSE) {
                    return result;
                }
            }
            return result;
        };
    }

    /** Stops at the first TRUE. */
    private static Eval or(Eval[] args) {
        return frame -> {
            Value result = Value.FALSE;
            for (Eval arg : args) {
                result = Operators.or(result, arg.eval(frame));
                if (result == Value.TRUE) {
                    return result;
                }
            }
            return result;
        };
    }

    private static Eval comparison(Expr.Operation operation, Eval a, Eval b) {
        return switch (operation.op()) {
            case EQ -> frame -> a.eval(frame).eq(b.eval(frame));
            case NE -> frame -> Operators.notEqual(a.eval(frame), b.eval(frame));
            case LT -> frame -> Operators.less(a.eval(frame), b.eval(frame));
            case LE -> frame -> Operators.lessOrEqual(a.eval(frame), b.eval(frame));
            case GT -> frame -> Operators.less(b.eval(frame), a.eval(frame));
            case GE -> frame -> Operators.lessOrEqual(b.eval(frame), a.eval(frame));
            case IS_DISTINCT -> frame -> Operators.distinct(a.eval(frame), b.eval(frame));
            default -> frame -> Operators.not(Operators.distinct(a.eval(frame), b.eval(frame)));
        };
    }

    private static Eval is(Expr.Operation operation, Eval a) {
        return switch (operation.op()) {
            case IS_NULL -> frame -> isNull(a.eval(frame));
            case IS_NOT_NULL -> frame -> Operators.not(isNull(a.eval(frame)));
            case IS_MISSING -> frame -> Value.of(a.eval(frame).isMissing());
            case IS_NOT_MISSING -> frame -> Value.of(!a.eval(frame).isMissing());
            case IS_VALUED -> frame -> Value.of(!a.eval(frame).isUnknown());
            default -> frame -> Value.of(a.eval(frame).isUnknown());
        };
    }

    private static Value isNull(Value value) {
        return value.isMissing() ? Value.MISSING : Value.of(value.isNull());
    }

    private static Eval like(Eval subject, Eval pattern, @Nullable Eval escape) {
        if (escape == null
                && pattern instanceof ExprCompiler.Constant constant
                && constant.value() instanceof StringValue text) {
            String like = text.text();
            String prefix = Like.onlyPrefix(like);
            if (prefix != null) {
                return frame -> test(subject.eval(frame), value -> value.startsWith(prefix));
            }
            if (Like.isExact(like)) {
                return frame -> test(subject.eval(frame), value -> value.equals(like));
            }
        }
        return frame -> Like.matches(
                subject.eval(frame),
                pattern.eval(frame),
                escape == null ? BACKSLASH : escape.eval(frame),
                frame.execution());
    }

    private static Value test(Value value, java.util.function.Predicate<String> predicate) {
        return value instanceof StringValue text
                ? Value.of(predicate.test(text.text()))
                : value.isMissing() ? Value.MISSING : Value.NULL;
    }

    // ---- IN

    private record Known(ArrayValue list, Set<Value> values, boolean unknown) {}

    private static Eval in(Eval value, Eval list) {
        if (list instanceof ExprCompiler.Constant constant && constant.value() instanceof ArrayValue array) {
            Known known = known(array);
            return array.size() < LONG_LIST
                    ? frame -> Operators.in(value.eval(frame), array)
                    : frame -> in(value.eval(frame), known);
        }
        return new InList(value, list);
    }

    private static Known known(ArrayValue array) {
        boolean unknown = array.items().stream().anyMatch(OperatorEvals::mayBeUnknown);
        return new Known(array, new HashSet<>(array.items()), unknown);
    }

    /** Equality of arrays or objects may be unknown because of an element. */
    private static boolean mayBeUnknown(Value value) {
        return value.isUnknown() || value.isArray() || value.isObject();
    }

    private static Value in(Value value, Known known) {
        if (mayBeUnknown(value) || known.unknown()) {
            return Operators.in(value, known.list());
        }
        return Value.of(known.values().contains(value));
    }

    /** Caches the set of the last list during a run: a parameter or subquery gives the same list again. */
    private static final class InList implements Eval {

        private final Eval value;
        private final Eval list;

        InList(Eval value, Eval list) {
            this.value = value;
            this.list = list;
        }

        @Override
        public Value eval(Frame frame) {
            Value wanted = value.eval(frame);
            Value in = list.eval(frame);
            if (!(in instanceof ArrayValue array) || array.size() < LONG_LIST) {
                return Operators.in(wanted, in);
            }
            Known known = (Known) frame.execution()
                    .memo(this, memo -> memo instanceof Known last && last.list() == array ? last : known(array));
            return OperatorEvals.in(wanted, known);
        }
    }
}
