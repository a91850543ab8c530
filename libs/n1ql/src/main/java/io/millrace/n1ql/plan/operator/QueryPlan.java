package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;

/** A query, ready to run any number of times. Has no state; the cursors that it opens have. */
public interface QueryPlan {

    /** Opens a cursor over the results; the frame is that of the block around the query. */
    Cursor<Value> open(Frame outer);

    /** Returns what EXPLAIN shows. */
    Value explain();
}
