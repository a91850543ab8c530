package io.millrace.n1ql.expression;

import io.millrace.n1ql.function.Operators;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.syntax.Query;

/** Compiles subqueries of expressions; their value is the array of their rows. */
public interface SubqueryCompiler {

    Eval subquery(Query query, BlockChain blocks);

    /** Compiles EXISTS of a query. */
    default Eval exists(Query query, BlockChain blocks) {
        Eval rows = subquery(query, blocks);
        return frame -> Operators.exists(rows.eval(frame));
    }
}
