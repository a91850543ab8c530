package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;

/**
 * Returns one of the rows with the same result; the result is stored in a slot.
 *
 * @param resultOnly whether nothing but the result is needed of a row
 */
record Distinct(Operator input, Eval result, int slot, boolean resultOnly) implements Operator {

    @Override
    public Cursor<Frame> open(Frame row) {
        return new DistinctRows(input.open(row), row, result, slot, resultOnly);
    }

    @Override
    public Explanation explain(Frame row) {
        return new Explanation("Distinct").over(row, input);
    }
}
