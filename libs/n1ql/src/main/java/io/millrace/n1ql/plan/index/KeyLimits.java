package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.function.text.Like;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Derives from a condition which values of an expression can fulfil it. */
final class KeyLimits {

    private final ExprCompiler compiler;
    private final DocumentShape shape;
    private final Expr key;
    private final Predicate<Expr> known;

    /**
     * @param shape normalizes the conditions as the key is
     * @param known whether an expression has a value before the document is read
     */
    KeyLimits(ExprCompiler compiler, DocumentShape shape, Expr key, Predicate<Expr> known) {
        this.compiler = compiler;
        this.shape = shape;
        this.key = key;
        this.known = known;
    }

    private static KeyLimit single(Eval value) {
        return new KeyLimit() {
            @Override
            public Intervals at(Frame row) {
                return Intervals.equalTo(value.eval(row));
            }

            @Override
            public boolean single() {
                return true;
            }
        };
    }

    private boolean isKey(Expr expr) {
        return shape.map(expr).equals(key);
    }

    /** Returns the values of the key for which a condition can be true, or null if it may be true for all. */
    @Nullable
    KeyLimit of(Expr condition) {
        if (isKey(condition)) {
            return row -> Intervals.TRUE_OR_MORE;
        }
        if (!(condition instanceof Expr.Operation operation)) {
            return null;
        }
        return switch (operation.op()) {
            case AND -> all(operation.args());
            case OR -> any(operation.args());
            case NOT -> negated(operation.arg(0));
            default -> comparison(operation);
        };
    }

    private @Nullable KeyLimit all(List<Expr> conditions) {
        KeyLimit all = null;
        boolean whole = true;
        for (Expr condition : conditions) {
            KeyLimit own = of(condition);
            whole &= own != null;
            all = all == null ? own : own == null ? all : all.and(own);
        }
        return all == null || whole ? all : all.loosely();
    }

    private @Nullable KeyLimit any(List<Expr> conditions) {
        KeyLimit any = null;
        for (Expr condition : conditions) {
            KeyLimit own = of(condition);
            if (own == null) {
                return null;
            }
            any = any == null ? own : any.or(own);
        }
        return any;
    }

    /** NOT of a comparison is true for the values that fulfil the opposite one; MISSING and NULL fulfil neither. */
    private @Nullable KeyLimit negated(Expr condition) {
        if (!(condition instanceof Expr.Operation operation)) {
            return null;
        }
        List<Expr> args = operation.args();
        return switch (operation.op()) {
            case NOT -> of(args.getFirst());
            case AND -> any(args.stream().map(KeyLimits::not).toList());
            case OR -> all(args.stream().map(KeyLimits::not).toList());
            case EQ -> opposite(Op.NE, args);
            case NE -> opposite(Op.EQ, args);
            case LT -> opposite(Op.GE, args);
            case LE -> opposite(Op.GT, args);
            case GT -> opposite(Op.LE, args);
            case GE -> opposite(Op.LT, args);
            case IS_NULL -> opposite(Op.IS_NOT_NULL, args);
            case IS_NOT_NULL -> opposite(Op.IS_NULL, args);
            case IS_MISSING -> opposite(Op.IS_NOT_MISSING, args);
            case IS_NOT_VALUED -> opposite(Op.IS_VALUED, args);
            case IN -> isKey(args.get(0)) && known.test(args.get(1)) ? notIn(compiler.compile(args.get(1))) : null;
            case BETWEEN -> notBetween(args);
            default -> null;
        };
    }

    /** Not exact: it is never true if one bound is NULL, whatever the other one. */
    private @Nullable KeyLimit notBetween(List<Expr> args) {
        KeyLimit outside = any(List.of(
                new Expr.Operation(Op.LT, List.of(args.get(0), args.get(1)), Place.NONE),
                new Expr.Operation(Op.GT, List.of(args.get(0), args.get(2)), Place.NONE)));
        return outside == null ? null : outside.loosely();
    }

    private static Expr not(Expr condition) {
        return new Expr.Operation(Op.NOT, List.of(condition), Place.NONE);
    }

    private @Nullable KeyLimit opposite(Op op, List<Expr> args) {
        return comparison(new Expr.Operation(op, args, Place.NONE));
    }

    private static KeyLimit notIn(Eval list) {
        return row -> {
            if (!(list.eval(row) instanceof ArrayValue array)) {
                return Intervals.NONE;
            }
            Intervals left = Intervals.VALUED;
            for (Value item : array) {
                if (item.isUnknown()) {
                    return Intervals.NONE;
                }
                left = left.and(Intervals.notEqualTo(item));
            }
            // NOT IN [] is true for NULL and MISSING too
            return array.size() == 0 ? new Intervals(Intervals.NOT_MISSING.all(), false) : left;
        };
    }

    private @Nullable KeyLimit comparison(Expr.Operation operation) {
        Expr first = operation.arg(0);
        if (operation.args().size() == 1) {
            return isKey(first) ? tested(operation.op()) : null;
        }
        Expr second = operation.arg(1);
        if (isKey(first)) {
            return known.test(second) ? compared(operation, compiler.compile(second)) : null;
        }
        return isKey(second) && known.test(first) ? turned(operation.op(), compiler.compile(first)) : null;
    }

    private static @Nullable KeyLimit tested(Op op) {
        Intervals found = switch (op) {
            case IS_NOT_MISSING -> Intervals.NOT_MISSING;
            case IS_NOT_NULL -> Intervals.NOT_NULL;
            case IS_VALUED -> Intervals.VALUED;
            case IS_NULL -> Intervals.NULL;
            default -> null;
        };
        return found == null ? null : row -> found;
    }

    private static @Nullable KeyLimit turned(Op op, Eval value) {
        return switch (op) {
            case EQ -> single(value);
            case NE -> row -> Intervals.notEqualTo(value.eval(row));
            case GT, GE -> row -> Intervals.to(value.eval(row), op == Op.GE);
            case LT, LE -> row -> Intervals.from(value.eval(row), op == Op.LE);
            default -> null;
        };
    }

    private @Nullable KeyLimit compared(Expr.Operation operation, Eval value) {
        Op op = operation.op();
        return switch (op) {
            case EQ -> single(value);
            case NE -> row -> Intervals.notEqualTo(value.eval(row));
            case GT, GE -> row -> Intervals.from(value.eval(row), op == Op.GE);
            case LT, LE -> row -> Intervals.to(value.eval(row), op == Op.LE);
            case BETWEEN -> known.test(operation.arg(2)) ? between(value, compiler.compile(operation.arg(2))) : null;
            case IN ->
                row -> value.eval(row) instanceof ArrayValue list ? Intervals.equalToAny(list.items()) : Intervals.NONE;
            case LIKE -> operation.args().size() == 2 ? row -> like(value.eval(row)) : null;
            default -> null;
        };
    }

    private static KeyLimit between(Eval from, Eval to) {
        return row -> Intervals.from(from.eval(row), true).and(Intervals.to(to.eval(row), true));
    }

    private static Intervals like(Value pattern) {
        if (!(pattern instanceof StringValue like)) {
            return Intervals.NONE;
        }
        if (Like.isExact(like.text())) {
            return Intervals.equalTo(like);
        }
        return Intervals.startingWith(Like.prefix(like.text()), Like.onlyPrefix(like.text()) != null);
    }
}
