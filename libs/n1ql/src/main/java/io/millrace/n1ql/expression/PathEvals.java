package io.millrace.n1ql.expression;

import io.millrace.n1ql.function.ArrayFunctions;
import io.millrace.n1ql.function.Operators;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles paths. */
final class PathEvals {

    private PathEvals() {}

    static Eval element(Eval base, Eval index) {
        if (index instanceof ExprCompiler.Constant constant
                && constant.value() instanceof NumberValue number
                && number.isWhole()) {
            long at = number.longValue();
            return frame -> base.eval(frame).element(at);
        }
        return frame -> {
            Value value = base.eval(frame);
            Value at = index.eval(frame);
            return Operators.element(value, at);
        };
    }

    /** A field of a term of FROM; the run records whether there is one. */
    static Eval watchedField(Eval base, FieldName name, long bit) {
        return frame -> {
            Value owner = base.eval(frame);
            Value value = owner.field(name);
            frame.execution().sightings().look(bit, owner, value);
            return value;
        };
    }

    static Eval slice(Eval base, @Nullable Eval from, @Nullable Eval to) {
        Eval start = from == null ? new ExprCompiler.Constant(Value.of(0L)) : from;
        return frame -> Operators.slice(
                base.eval(frame), start.eval(frame), to == null ? Value.NULL : to.eval(frame), to != null);
    }

    /** Returns whether a path has a star after which no element was selected. */
    static boolean isStarPath(Expr expr) {
        return switch (expr) {
            case Expr.Star star -> true;
            case Expr.Field field -> isStarPath(field.base());
            default -> false;
        };
    }

    /** Returns whether the last star of a path is {@code [*]}, not {@code []}. */
    static boolean isColumnsPath(Expr expr) {
        return switch (expr) {
            case Expr.Star star -> star.columns();
            case Expr.Field field -> isColumnsPath(field.base());
            default -> false;
        };
    }

    /** A star at the end of a path: an object with an array for each field of the elements. */
    static Eval columns(Eval base) {
        return frame -> ArrayFunctions.star(base.eval(frame));
    }

    /** A star inside of a path: the elements, and those of arrays among them. */
    static Eval elements(Eval base) {
        return frame -> {
            if (!(base.eval(frame) instanceof ArrayValue array)) {
                return Value.MISSING;
            }
            List<Value> items = new ArrayList<>(array.size());
            array.forEach(item -> spread(item, items));
            return ArrayValue.of(items);
        };
    }

    static Eval fieldOfEach(Eval base, FieldName name) {
        return frame -> {
            if (!(base.eval(frame) instanceof ArrayValue array)) {
                return Value.MISSING;
            }
            List<Value> items = new ArrayList<>(array.size());
            array.forEach(item -> spread(item.field(name), items));
            return ArrayValue.of(items);
        };
    }

    /** Behind {@code []}: without the elements that do not have the field, and MISSING if none has it. */
    static Eval fieldOfThoseThatHaveIt(Eval base, FieldName name) {
        return frame -> {
            if (!(base.eval(frame) instanceof ArrayValue array)) {
                return Value.MISSING;
            }
            List<Value> items = new ArrayList<>(array.size());
            for (Value item : array) {
                Value field = item.field(name);
                if (!field.isMissing()) {
                    spread(field, items);
                }
            }
            return items.isEmpty() ? Value.MISSING : ArrayValue.of(items);
        };
    }

    private static void spread(Value item, List<Value> into) {
        if (item instanceof ArrayValue inner) {
            into.addAll(inner.items());
        } else {
            into.add(item);
        }
    }
}
