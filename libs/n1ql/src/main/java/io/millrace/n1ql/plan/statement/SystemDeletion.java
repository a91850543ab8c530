package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.plan.from.Sources;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.operator.Timed;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DELETE FROM a system table: removes prepared statements and cancels running requests. */
final class SystemDeletion {

    private static final FieldName ID = FieldName.of("id");

    private SystemDeletion() {}

    static List<Value> run(
            Operator rows, int slots, Target target, boolean deletes, @Nullable Eval returning, Execution execution) {
        if (!deletes || !(operatorBelow(rows) instanceof Sources.SystemScan scan)) {
            throw QueryException.of(ErrorCode.SEMANTICS, "system keyspaces can only be deleted from");
        }
        List<Value> results = new ArrayList<>();
        try (Cursor<Frame> cursor = rows.open(new Frame(slots, StatementPlanner.root(execution), execution))) {
            for (Frame row = cursor.next(); row != null; row = cursor.next()) {
                Value id = row.get(target.metaSlot()).field(ID);
                if (id instanceof StringValue key && scan.tables().delete(scan.name(), key.text())) {
                    execution.countMutation();
                    if (returning != null) {
                        results.add(returning.eval(row));
                    }
                }
            }
        }
        return results;
    }

    private static Operator operatorBelow(Operator operator) {
        return switch (operator) {
            case RowOperators.Filter filter -> operatorBelow(filter.input());
            case RowOperators.Let let -> operatorBelow(let.input());
            case Timed timed -> operatorBelow(timed.input());
            case RowOperators.Page page -> operatorBelow(page.input());
            default -> operator;
        };
    }
}
