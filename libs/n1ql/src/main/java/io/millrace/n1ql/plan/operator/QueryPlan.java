package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;

/** A planned query, which can run any number of times. Has no state; the cursors that it opens have. */
public interface QueryPlan {

    /** Opens a cursor over the results; {@code outer} is the frame of the enclosing block. */
    Cursor<Value> open(Frame outer);

    /** Returns what reading all rows would cost: see {@link Operator#reads}. */
    default double reads(Frame outer) {
        return Double.POSITIVE_INFINITY;
    }

    /** Returns the output of EXPLAIN for a run in this frame of the enclosing block. */
    Value explain(Frame outer);
}
