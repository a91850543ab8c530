package io.millrace.n1ql.plan;

import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * An {@link EqualSubquery}: a semi-join when it is the operand of EXISTS or IN, an anti-join under NOT. {@link LookedUpRows}
 * finds its rows for each row around it.
 *
 * @param perRow the subquery as it is written
 * @param all its rows for all values: see {@link EqualSubquery#query}
 * @param outer the values that are looked up
 * @param exists whether only the existence of rows is wanted
 */
record LookedUpSubquery(QueryPlan perRow, QueryPlan all, Eval[] outer, boolean exists) implements Eval {

    @Override
    public Value eval(Frame frame) {
        List<Value> wanted = new ArrayList<>(outer.length);
        for (Eval value : outer) {
            Value one = value.eval(frame);
            if (one.isUnknown()) {
                return result(List.of());
            }
            wanted.add(one);
        }
        Execution execution = frame.execution();
        LookedUpRows rows =
                (LookedUpRows) execution.memo(this, known -> known == null ? new LookedUpRows(this, frame) : known);
        execution.step();
        return result(rows.of(wanted, frame));
    }

    private Value result(List<Value> rows) {
        return exists ? Value.of(!rows.isEmpty()) : ArrayValue.of(rows);
    }
}
