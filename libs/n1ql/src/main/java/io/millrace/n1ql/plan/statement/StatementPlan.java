package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;

/** A planned statement, which can run any number of times. */
public interface StatementPlan {

    /** Runs the statement. A change is complete when this returns; the rows of a query are read on demand. */
    Cursor<Value> run(Execution execution);

    /** Returns the output of EXPLAIN for a run; carries out nothing. */
    Value explain(Execution execution);

    /** Returns whether it changes documents or indexes. */
    boolean changes();
}
