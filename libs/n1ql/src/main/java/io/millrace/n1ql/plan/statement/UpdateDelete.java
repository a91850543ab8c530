package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.from.Conjuncts;
import io.millrace.n1ql.plan.index.IndexChoice;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.statement.ChangeWriter.Work;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** UPDATE and DELETE. */
final class UpdateDelete {

    private static final FieldName ID = FieldName.of("id");
    private static final FieldName CAS = FieldName.of("cas");

    private final Target target;
    private final int slots;
    private final Operator rows;
    /** LET and WHERE, evaluated again for a document that has changed since it was read. */
    private final Eval[] let;

    private final int[] letSlots;
    private final @Nullable Eval where;
    private final @Nullable Eval returning;
    private final @Nullable DocumentEditor editor;

    private UpdateDelete(
            StatementPlanner planner,
            ExprCompiler compiler,
            Target target,
            int slots,
            Query.From from,
            List<Query.Let> lets,
            @Nullable Expr whereExpr,
            @Nullable Eval limit,
            @Nullable Eval offset,
            @Nullable Eval returning,
            @Nullable DocumentEditor editor) {
        this.target = target;
        this.slots = slots;
        this.let = lets.stream().map(one -> compiler.compile(one.expr())).toArray(Eval[]::new);
        this.letSlots = lets.stream().mapToInt(Query.Let::slot).toArray();
        this.where = compiler.optional(whereExpr);
        this.returning = returning;
        this.editor = editor;
        IndexChoice.Rows wanted = limit == null ? null : new IndexChoice.Rows(limit, offset, true);
        Operator read = planner.queries()
                .rowsToChange(from, lets, new Conjuncts(compiler.blocks().block(), whereExpr), wanted, compiler);
        this.rows = limit == null && offset == null ? read : new RowOperators.Page(read, offset, limit);
    }

    static StatementPlan plan(Statement.Update update, StatementPlanner planner) {
        ExprCompiler compiler = planner.compiler(update.block());
        UpdateDelete alteration = new UpdateDelete(
                planner,
                compiler,
                update.target(),
                update.slots(),
                update.from(),
                update.let(),
                update.where(),
                compiler.optional(update.limit()),
                compiler.optional(update.offset()),
                StatementPlanner.returning(update.returning(), compiler),
                new DocumentEditor(update.target(), update.set(), update.unset(), compiler));
        return alteration.plan("SendUpdate");
    }

    static StatementPlan plan(Statement.Delete delete, StatementPlanner planner) {
        ExprCompiler compiler = planner.compiler(delete.block());
        UpdateDelete alteration = new UpdateDelete(
                planner,
                compiler,
                delete.target(),
                delete.slots(),
                delete.from(),
                delete.let(),
                delete.where(),
                compiler.optional(delete.limit()),
                compiler.optional(delete.offset()),
                StatementPlanner.returning(delete.returning(), compiler),
                null);
        return alteration.plan("SendDelete");
    }

    private StatementPlan plan(String operator) {
        return StatementPlanner.change(
                execution -> StatementPlanner.explanation(
                        operator,
                        StatementPlanner.ref(target).toString(),
                        rows.explain(new Frame(slots, StatementPlanner.root(execution), execution))
                                .value()),
                this::run);
    }

    private List<Value> run(Execution execution) {
        if (KeyspaceRef.isSystem(target.path())) {
            return SystemDeletion.run(rows, slots, target, editor == null, returning, execution);
        }
        Keyspace keyspace =
                StatementPlanner.target(target, returning, execution, editor == null ? Need.DELETE : Need.UPDATE);
        KeyspaceSlots places = StatementPlanner.slots(target);
        ChangeWriter changes = new ChangeWriter(execution, keyspace, places, returning);
        Frame start = new Frame(slots, StatementPlanner.root(execution), execution);
        try (Cursor<Frame> cursor = rows.open(start)) {
            for (Frame row = cursor.next(); row != null; row = cursor.next()) {
                changes.add(work(row, keyspace, execution));
            }
        }
        return changes.finish();
    }

    private Work work(Frame row, Keyspace keyspace, Execution execution) {
        ChangeWriter.Redo redo = fresh -> {
            Frame again = DocumentReader.row(row, fresh, keyspace, StatementPlanner.slots(target));
            for (int i = 0; i < let.length; i++) {
                again.set(letSlots[i], let[i].eval(again));
            }
            return where == null || where.eval(again).truth() ? work(again, keyspace, execution) : null;
        };
        return new Work(row, change(row, target, editor, execution), redo);
    }

    /** Returns the change of the document in a row: a deletion if there is no editor. */
    static Change change(Frame row, Target target, @Nullable DocumentEditor editor, Execution execution) {
        Value meta = row.get(target.metaSlot());
        String key = ((StringValue) meta.field(ID)).text();
        long cas = ((NumberValue) meta.field(CAS)).longValue();
        if (editor == null) {
            return new Change(Change.Kind.DELETE, key, null, cas, null);
        }
        DocumentEditor.Edited edited = editor.edit(row);
        Long expiration = edited.expiration() == null
                ? execution.preserveExpiry() ? null : Long.valueOf(0)
                : Long.valueOf(ChangeWriter.absolute(edited.expiration(), execution));
        return new Change(Change.Kind.REPLACE, key, edited.document().toJsonBytes(), cas, expiration);
    }
}
