package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.syntax.Statement;

/** INFER, which parses but is not supported. */
final class Inference {

    private Inference() {}

    static StatementPlan plan(Statement.Infer infer) {
        throw infer.target().place().error(ErrorCode.SEMANTICS, "INFER is not supported");
    }
}
