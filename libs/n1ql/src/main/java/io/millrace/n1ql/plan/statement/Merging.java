package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.from.Conjuncts;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.plan.statement.ChangeWriter.Work;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.JoinKind;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MERGE. The join of source and target is read to the end, and all changes are decided, before anything is changed: so a
 * document that would be changed twice is detected before the first change.
 */
final class Merging {

    private final Statement.Merge merge;
    private final Target target;
    private final Operator rows;
    private final @Nullable DocumentEditor editor;
    private final @Nullable Eval updateWhere;
    private final @Nullable Eval deleteWhere;
    private final @Nullable Eval insertKey;
    private final @Nullable Eval insertValue;
    private final @Nullable Eval insertOptions;
    private final @Nullable Eval insertWhere;
    private final @Nullable Eval limit;
    private final @Nullable Eval returning;
    private final List<Need> needs;

    private Merging(Statement.Merge merge, StatementPlanner planner) {
        this.merge = merge;
        this.target = merge.target();
        ExprCompiler compiler = planner.compiler(merge.block());
        Query.KeyspaceTerm term = new Query.KeyspaceTerm(
                target.path(),
                target.parameter(),
                target.alias(),
                target.slot(),
                target.metaSlot(),
                merge.use(),
                target.place());
        JoinKind kind = merge.insert() == null ? JoinKind.INNER : JoinKind.LEFT;
        Query.From joined = merge.onKey()
                ? new Query.KeyJoin(kind, false, merge.source(), term, merge.on(), null, target.place())
                : new Query.Join(kind, false, merge.source(), term, merge.on());
        this.rows = planner.queries()
                .rowsToChange(
                        joined, merge.let(), new Conjuncts(compiler.blocks().block(), null), null, compiler);
        Statement.MergeUpdate update = merge.update();
        this.editor = update == null ? null : new DocumentEditor(target, update.set(), update.unset(), compiler);
        this.updateWhere = update == null ? null : compiler.optional(update.where());
        this.deleteWhere =
                merge.delete() == null ? null : compiler.optional(merge.delete().where());
        Statement.MergeInsert insert = merge.insert();
        this.insertKey = insert == null ? null : compiler.compile(insert.key() == null ? merge.on() : insert.key());
        this.insertValue = insert == null ? null : compiler.compile(insert.value());
        this.insertOptions = insert == null ? null : compiler.optional(insert.options());
        this.insertWhere = insert == null ? null : compiler.optional(insert.where());
        this.limit = compiler.optional(merge.limit());
        this.returning = StatementPlanner.returning(merge.returning(), compiler);
        this.needs = needs(merge);
    }

    /** Returns what the actions do; what is returned has to be selected. */
    private static List<Need> needs(Statement.Merge merge) {
        List<Need> needs = new ArrayList<>();
        if (merge.returning() != null) {
            needs.add(Need.SELECT);
        }
        if (merge.update() != null) {
            needs.add(Need.UPDATE);
        }
        if (merge.delete() != null) {
            needs.add(Need.DELETE);
        }
        if (merge.insert() != null) {
            needs.add(Need.INSERT);
        }
        return needs;
    }

    private Need[] rest() {
        return needs.subList(1, needs.size()).toArray(Need[]::new);
    }

    static StatementPlan plan(Statement.Merge merge, StatementPlanner planner) {
        Merging merging = new Merging(merge, planner);
        return StatementPlanner.change(
                execution -> StatementPlanner.explanation(
                        "Merge",
                        StatementPlanner.ref(merging.target).toString(),
                        merging.rows
                                .explain(new Frame(merge.slots(), StatementPlanner.root(execution), execution))
                                .value()),
                merging::run);
    }

    private List<Value> run(Execution execution) {
        Keyspace keyspace = StatementPlanner.ref(target).open(execution, needs.getFirst(), rest());
        Frame start = new Frame(merge.slots(), StatementPlanner.root(execution), execution);
        long most = RowOperators.limit(limit, start);
        Set<String> changed = new HashSet<>();
        Set<String> inserted = new HashSet<>();
        List<Work> works = new ArrayList<>();
        try (HeldBytes held = new HeldBytes(execution)) {
            try (Cursor<Frame> cursor = rows.open(start)) {
                for (Frame row = cursor.next(); row != null && works.size() < most; row = cursor.next()) {
                    execution.step();
                    boolean matched = !row.get(target.metaSlot()).isMissing();
                    Work work = matched ? change(row, changed, execution) : insert(row, inserted, execution);
                    if (work != null) {
                        held.add(size(work, works.isEmpty() ? null : works.getLast()));
                        works.add(work);
                    }
                }
            }
            ChangeWriter changes = new ChangeWriter(execution, keyspace, StatementPlanner.slots(target), returning);
            works.forEach(changes::add);
            return changes.finish();
        }
    }

    private static long size(Work work, @Nullable Work before) {
        byte[] body = work.change().body();
        return RowSizes.besides(before == null ? null : before.row(), work.row()) + (body == null ? 0 : body.length);
    }

    private static boolean holds(@Nullable Eval condition, Frame row) {
        return condition == null || condition.eval(row).truth();
    }

    /** Deletes or updates; if both apply, the document is deleted. */
    private @Nullable Work change(Frame row, Set<String> changed, Execution execution) {
        Change change = null;
        if (merge.delete() != null && holds(deleteWhere, row)) {
            change = UpdateDelete.change(row, target, null, execution);
        } else if (editor != null && holds(updateWhere, row)) {
            change = UpdateDelete.change(row, target, editor, execution);
        }
        if (change == null) {
            return null;
        }
        if (!changed.add(change.key())) {
            throw QueryException.of(
                    ErrorCode.MERGE_UPDATED_TWICE,
                    "Multiple UPDATE/DELETE of the same document (document key '" + change.key()
                            + "') in a MERGE statement");
        }
        return new Work(row, change, null);
    }

    private @Nullable Work insert(Frame row, Set<String> inserted, Execution execution) {
        if (insertKey == null || insertValue == null || !holds(insertWhere, row)) {
            return null;
        }
        Value key = insertKey.eval(row);
        Value value = insertValue.eval(row);
        if (!(key instanceof StringValue text)) {
            execution.fail(QueryException.of(
                    ErrorCode.BAD_KEY,
                    "Cannot INSERT non-string key " + key + " of type "
                            + key.type().label() + "."));
            return null;
        }
        if (value.isMissing()) {
            execution.fail(QueryException.of(
                    ErrorCode.BAD_VALUE_TO_STORE, "No value for key " + text.text() + ": MISSING cannot be stored."));
            return null;
        }
        if (!inserted.add(text.text())) {
            throw QueryException.of(
                    ErrorCode.MERGE_INSERTED_TWICE,
                    "Multiple INSERT of the same document (document key '" + text.text() + "') in a MERGE statement");
        }
        Long expiration = ChangeWriter.expiration(insertOptions == null ? null : insertOptions.eval(row), execution);
        // RETURNING does not see the source
        return new Work(
                row.blank(),
                new Change(
                        Change.Kind.INSERT,
                        text.text(),
                        value.toJsonBytes(),
                        0,
                        expiration == null ? Long.valueOf(0) : expiration),
                null);
    }
}
