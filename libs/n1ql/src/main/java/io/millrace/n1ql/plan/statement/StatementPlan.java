package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;

/** A statement, ready to run any number of times. */
public interface StatementPlan {

    /** Runs it. A change is complete when this returns; the rows of a query are read on demand. */
    Cursor<Value> run(Execution execution);

    /** Returns what EXPLAIN shows. */
    Value explain();

    /** True when it changes documents or indexes. */
    boolean changes();
}
