package io.millrace.n1ql.plan;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Bound.Kind;
import io.millrace.n1ql.syntax.Expr.Frame.Exclusion;
import io.millrace.n1ql.syntax.Expr.Frame.Unit;
import io.millrace.n1ql.value.NumberValue;
import org.jspecify.annotations.Nullable;

/** The rows of the partition that a window function sees from the current row. */
record WindowFrame(Unit unit, Bound from, Bound to, Exclusion exclusion) {

    /** A bound of the frame. */
    record Bound(Kind kind, @Nullable Eval distance) {

        /** Returns the distance; a negative value or one that is not a number is 0. */
        double distance(Frame row) {
            return distance != null && distance.eval(row) instanceof NumberValue number
                    ? Math.max(0, number.doubleValue())
                    : 0;
        }
    }

    /** Returns the frame of the text; by default all rows up to the last peer, or all rows without an order. */
    static WindowFrame of(Expr.@Nullable Frame frame, boolean ordered, ExprCompiler compiler) {
        if (frame == null) {
            Kind end = ordered ? Kind.CURRENT_ROW : Kind.UNBOUNDED_FOLLOWING;
            return new WindowFrame(
                    Unit.RANGE, new Bound(Kind.UNBOUNDED_PRECEDING, null), new Bound(end, null), Exclusion.NONE);
        }
        return new WindowFrame(
                frame.unit(),
                new Bound(frame.from().kind(), compiler.optional(frame.from().distance())),
                new Bound(frame.to().kind(), compiler.optional(frame.to().distance())),
                frame.exclusion());
    }

    boolean hasDistance() {
        return from.distance() != null || to.distance() != null;
    }

    /** Returns whether it begins at the start of the partition, so that later rows see all that earlier rows see. */
    boolean grows() {
        return from.kind() == Kind.UNBOUNDED_PRECEDING && exclusion == Exclusion.NONE;
    }
}
