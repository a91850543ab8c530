package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.Container;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Sequences;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rights of a statement that is explained, advised on or prepared and not run: its plan names indexes and what
 * they index, which only those may know who may run it. A statement that runs checks its rights where it opens its keyspaces.
 */
final class StatementNeeds extends TreeMapper {

    private final Execution execution;
    private final Others others;

    /** The statements that a statement runs. */
    interface Others {

        /** Checks the rights of a prepared statement. */
        void prepared(String name);

        /** Checks the rights of a statement of a transaction. */
        void step(String text);
    }

    private StatementNeeds(Execution execution, Others others) {
        this.execution = execution;
        this.others = others;
    }

    /** Throws a {@link QueryException} unless the run may do all that a statement does, whose names are resolved. */
    static void require(Statement statement, Execution execution, QueryEngine engine) {
        require(statement, execution, new Others() {
            @Override
            public void prepared(String name) {
                engine.prepared(name).requireRights(execution);
            }

            @Override
            public void step(String text) {
                engine.prepare(text).requireRights(execution);
            }
        });
    }

    static void require(Statement statement, Execution execution, Others others) {
        new StatementNeeds(execution, others).statement(statement);
    }

    private void statement(Statement statement) {
        switch (statement) {
            case Statement.Select select -> query(select.query());
            case Statement.Explain explain -> statement(explain.statement());
            case Statement.Advise advise -> statement(advise.statement());
            case Statement.Prepare prepare -> statement(prepare.statement());
            case Statement.Execute execute -> others.prepared(execute.name());
            case Statement.Nothing nothing -> {}
            case Statement.Transaction transaction -> transaction(transaction);
            case Statement.Infer infer -> target(infer.target(), null, Need.SELECT);
            case Statement.Insert insert -> insert(insert);
            case Statement.InsertSelect insert -> insertSelect(insert);
            case Statement.Update update -> update(update);
            case Statement.Delete delete -> delete(delete);
            case Statement.Merge merge -> merge(merge);
            case Statement.CreateIndex create -> target(create.target(), null, Need.MANAGE_INDEX);
            case Statement.DropIndex drop -> target(drop.target(), null, Need.MANAGE_INDEX);
            case Statement.BuildIndex build -> {
                target(build.target(), null, Need.MANAGE_INDEX);
                look(build.names().toArray(Expr[]::new));
            }
            case Statement.CreateContainer create -> container(create.kind(), create.target());
            case Statement.DropContainer drop -> container(drop.kind(), drop.target());
            case Statement.CreateFunction create -> function(create.path());
            case Statement.DropFunction drop -> function(drop.path());
            case Statement.CreateSequence create -> sequence(Need.MANAGE_SEQUENCES, create.path());
            case Statement.AlterSequence alter -> sequence(Need.MANAGE_SEQUENCES, alter.path());
            case Statement.DropSequence drop -> sequence(Need.MANAGE_SEQUENCES, drop.path());
            case Statement.Flush flush -> target(flush.target(), null, Need.DELETE);
        }
    }

    private void transaction(Statement.Transaction transaction) {
        for (Statement.Transaction.Step step : transaction.steps()) {
            if (step instanceof Statement.Transaction.Run run) {
                others.step(run.text());
            }
        }
    }

    private void insert(Statement.Insert insert) {
        target(insert.target(), insert.returning(), Need.INSERT);
        if (insert.upsert()) {
            target(insert.target(), null, Need.UPDATE);
        }
        for (Statement.Row row : insert.rows()) {
            look(row.key(), row.value(), row.options());
        }
    }

    private void insertSelect(Statement.InsertSelect insert) {
        target(insert.target(), insert.returning(), Need.INSERT);
        if (insert.upsert()) {
            target(insert.target(), null, Need.UPDATE);
        }
        look(insert.key(), insert.value(), insert.options());
        query(insert.query());
    }

    private void update(Statement.Update update) {
        target(update.target(), update.returning(), Need.UPDATE);
        from(update.from());
        sets(update.set(), update.unset());
        lets(update.let());
        look(update.where(), update.limit(), update.offset());
    }

    private void delete(Statement.Delete delete) {
        target(delete.target(), delete.returning(), Need.DELETE);
        from(delete.from());
        lets(delete.let());
        look(delete.where(), delete.limit(), delete.offset());
    }

    private void merge(Statement.Merge merge) {
        Statement.MergeUpdate update = merge.update();
        Statement.MergeDelete delete = merge.delete();
        Statement.MergeInsert insert = merge.insert();
        if (update != null) {
            target(merge.target(), merge.returning(), Need.UPDATE);
            sets(update.set(), update.unset());
            look(update.where());
        }
        if (delete != null) {
            target(merge.target(), merge.returning(), Need.DELETE);
            look(delete.where());
        }
        if (insert != null) {
            target(merge.target(), merge.returning(), Need.INSERT);
            look(insert.key(), insert.value(), insert.options(), insert.where());
        }
        from(merge.source());
        lets(merge.let());
        look(merge.on(), merge.limit(), merge.use().keys());
    }

    private void sets(List<Statement.SetItem> set, List<Statement.UnsetItem> unset) {
        for (Statement.SetItem item : set) {
            look(item.path(), item.value());
            loops(item.each());
        }
        for (Statement.UnsetItem item : unset) {
            look(item.path());
            loops(item.each());
        }
    }

    private void loops(Query.@Nullable Each each) {
        if (each != null) {
            each.levels().forEach(this::bindings);
            look(each.when());
        }
    }

    /** Like a run, which may read what it may change, but returns documents only to those who may select them. */
    private void target(Target target, @Nullable Projection returning, Need need) {
        List<String> path = target.path();
        if (KeyspaceRef.isSystem(path)) {
            return; // plans over tables of the system say nothing about keyspaces
        }
        KeyspaceRef ref = new KeyspaceRef(path, target.parameter());
        if (returning != null) {
            ref.require(execution, Need.SELECT);
            projection(returning);
        }
        ref.require(execution, need);
    }

    private void container(Container.Kind kind, Target target) {
        Container container =
                target.parameter() != null ? null : Container.of(kind, target.path(), execution.queryContext());
        if (container != null) {
            execution.require(
                    kind == Container.Kind.BUCKET ? Need.MANAGE_BUCKET : Need.MANAGE_COLLECTIONS, container.name());
        }
    }

    private void function(List<String> path) {
        FunctionDefinition.Name name = FunctionDefinition.Name.of(path, execution.queryContext());
        if (name != null && !execution.rights().managesFunction(name)) {
            throw QueryException.functionNotAllowed(name.toString(), name.bucket() == null, execution.rights());
        }
    }

    private void sequence(Need need, List<String> path) {
        Sequences.require(need, Sequences.name(path, execution), execution);
    }

    @Override
    public Expr map(Expr expr) {
        if (expr instanceof Expr.SequenceValue value) {
            sequence(Need.USE_SEQUENCES, value.path());
        }
        return super.map(expr);
    }

    private void look(@Nullable Expr... exprs) {
        for (Expr expr : exprs) {
            optional(expr);
        }
    }

    /** Wherever a query stands, the keyspaces that it reads are here. */
    @Override
    protected Query.From from(Query.From from) {
        if (from instanceof Query.KeyspaceTerm term && !KeyspaceRef.isSystem(term.path())) {
            KeyspaceRef.of(term).require(execution, Need.SELECT);
        }
        return super.from(from);
    }
}
