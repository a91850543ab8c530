package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.FreeRefs.SlotOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An expression over the left side of a join and one over its right side that must be equal. */
record EqualValues(Expr left, Expr right) {

    private enum Side {
        LEFT,
        RIGHT,
        BOTH
    }

    /** Returns those that conditions require; all slots of the block that are not on the right side are on the left. */
    static List<EqualValues> of(List<Expr> conditions, int block, Set<Integer> rightSlots) {
        List<EqualValues> pairs = new ArrayList<>();
        for (Expr condition : conditions) {
            if (condition instanceof Expr.Operation operation && operation.op() == Op.EQ) {
                Side first = side(operation.arg(0), block, rightSlots);
                Side second = side(operation.arg(1), block, rightSlots);
                if (first == Side.LEFT && second == Side.RIGHT) {
                    pairs.add(new EqualValues(operation.arg(0), operation.arg(1)));
                } else if (first == Side.RIGHT && second == Side.LEFT) {
                    pairs.add(new EqualValues(operation.arg(1), operation.arg(0)));
                }
            }
        }
        return pairs;
    }

    private static Side side(Expr expr, int block, Set<Integer> rightSlots) {
        boolean right = false;
        boolean other = false;
        for (SlotOf ref : FreeRefs.of(expr).refs()) {
            boolean isRight = ref.block() == block && rightSlots.contains(ref.slot());
            right |= isRight;
            other |= ref.block() == block && !isRight;
        }
        return right ? other ? Side.BOTH : Side.RIGHT : Side.LEFT;
    }
}
