package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.QueryPlanner;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** INSERT and UPSERT. */
final class Insertion {

    private Insertion() {}

    private record Row(Eval key, Eval value, @Nullable Eval options) {}

    static StatementPlan plan(Statement.Insert insert, StatementPlanner planner) {
        ExprCompiler compiler = planner.compiler(insert.block());
        List<Row> rows = insert.rows().stream()
                .map(row -> new Row(
                        compiler.compile(row.key()), compiler.compile(row.value()), compiler.optional(row.options())))
                .toList();
        Eval returning = StatementPlanner.returning(insert.returning(), compiler);
        Target target = insert.target();
        return StatementPlanner.change(explanation(insert.upsert(), target, null), execution -> {
            ChangeWriter changes = start(target, insert.upsert(), returning, execution);
            for (Row row : rows) {
                Frame frame = new Frame(insert.slots(), StatementPlanner.root(execution), execution);
                add(changes, frame, row, insert.upsert(), execution);
            }
            return changes.finish();
        });
    }

    /** Reads the query to its end first, so that it does not see the inserted documents. */
    static StatementPlan plan(Statement.InsertSelect insert, StatementPlanner planner) {
        ExprCompiler compiler = planner.compiler(insert.block());
        int rowSlot = insert.rowSlot();
        Row row = new Row(
                compiler.compile(insert.key()),
                insert.value() == null ? frame -> frame.get(rowSlot) : compiler.compile(insert.value()),
                compiler.optional(insert.options()));
        Eval returning = StatementPlanner.returning(insert.returning(), compiler);
        QueryPlan query = planner.queries().plan(insert.query(), QueryPlanner.ROOT, false);
        Target target = insert.target();
        Function<Execution, Value> explained =
                execution -> explanation(insert.upsert(), target, query.explain(StatementPlanner.root(execution)));
        return StatementPlanner.change(explained, execution -> {
            Frame root = StatementPlanner.root(execution);
            try (HeldBytes held = new HeldBytes(execution)) {
                List<Value> values = read(query, root, held);
                ChangeWriter changes = start(target, insert.upsert(), returning, execution);
                for (Value value : values) {
                    Frame frame = new Frame(insert.slots(), root, execution);
                    frame.set(rowSlot, value);
                    add(changes, frame, row, insert.upsert(), execution);
                }
                return changes.finish();
            }
        });
    }

    private static List<Value> read(QueryPlan query, Frame root, HeldBytes held) {
        List<Value> values = new ArrayList<>();
        try (Cursor<Value> cursor = query.open(root)) {
            for (Value value = cursor.next(); value != null; value = cursor.next()) {
                Value kept = ValueBytes.alone(value);
                held.add(RowSizes.of(kept));
                values.add(kept);
            }
        }
        return values;
    }

    private static Value explanation(boolean upsert, Target target, @Nullable Value child) {
        return StatementPlanner.explanation(
                upsert ? "SendUpsert" : "SendInsert",
                StatementPlanner.ref(target).toString(),
                child);
    }

    private static ChangeWriter start(Target target, boolean upsert, @Nullable Eval returning, Execution execution) {
        Keyspace keyspace = upsert
                ? StatementPlanner.target(target, returning, execution, Need.INSERT, Need.UPDATE)
                : StatementPlanner.target(target, returning, execution, Need.INSERT);
        return new ChangeWriter(execution, keyspace, StatementPlanner.slots(target), returning);
    }

    private static void add(ChangeWriter changes, Frame frame, Row row, boolean upsert, Execution execution) {
        Value key = row.key().eval(frame);
        if (!(key instanceof StringValue text) || text.text().isEmpty()) {
            execution.fail(QueryException.of(
                    upsert ? ErrorCode.KEY_NOT_STRING : ErrorCode.BAD_KEY,
                    "Cannot " + (upsert ? "UPSERT" : "INSERT") + " non-string key " + key + " of type "
                            + key.type().label() + "."));
            return;
        }
        Value value = row.value().eval(frame);
        if (value.isMissing()) {
            execution.fail(QueryException.of(
                    ErrorCode.BAD_VALUE_TO_STORE, "No value for key " + text.text() + ": MISSING cannot be stored."));
            return;
        }
        Eval options = row.options();
        Long expiration = ChangeWriter.expiration(options == null ? null : options.eval(frame), execution);
        boolean keep = upsert && execution.preserveExpiry() && expiration == null;
        changes.add(new ChangeWriter.Work(
                frame,
                new Change(
                        upsert ? Change.Kind.UPSERT : Change.Kind.INSERT,
                        text.text(),
                        value.toJsonBytes(),
                        0,
                        keep ? null : expiration == null ? Long.valueOf(0) : expiration),
                null));
    }
}
