package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.Projector;
import io.millrace.n1ql.plan.QueryPlanner;
import io.millrace.n1ql.plan.index.Indexes;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plans statements whose names are resolved, except for EXPLAIN, PREPARE and EXECUTE, which the engine handles. */
public final class StatementPlanner {

    private final QueryPlanner queries;

    /** @param measured whether the operators of plans are measured */
    public StatementPlanner(SystemTables system, Indexes indexes, boolean measured) {
        this.queries = new QueryPlanner(system, indexes, measured);
    }

    public StatementPlan plan(Statement statement) {
        return switch (statement) {
            case Statement.Select select -> query(queries.plan(select.query(), QueryPlanner.ROOT, false));
            case Statement.Insert insert -> Insertion.plan(insert, this);
            case Statement.InsertSelect insert -> Insertion.plan(insert, this);
            case Statement.Update update -> UpdateDelete.plan(update, this);
            case Statement.Delete delete -> UpdateDelete.plan(delete, this);
            case Statement.Merge merge -> Merging.plan(merge, this);
            case Statement.CreateIndex create -> IndexStatements.plan(create, this);
            case Statement.DropIndex drop -> IndexStatements.plan(drop);
            case Statement.BuildIndex build -> IndexStatements.plan(build, this);
            case Statement.CreateContainer create -> ContainerStatements.plan(create, this);
            case Statement.DropContainer drop -> ContainerStatements.plan(drop);
            case Statement.CreateFunction create -> FunctionStatements.plan(create);
            case Statement.DropFunction drop -> FunctionStatements.plan(drop);
            case Statement.CreateSequence create -> SequenceStatements.plan(create);
            case Statement.AlterSequence alter -> SequenceStatements.plan(alter);
            case Statement.DropSequence drop -> SequenceStatements.plan(drop);
            case Statement.Flush flush -> ContainerStatements.plan(flush);
            case Statement.Nothing nothing -> nothing(nothing);
            case Statement.Infer infer -> Inference.plan(infer, this);
            case Statement.Explain explain -> throw new IllegalArgumentException("EXPLAIN is handled by the engine");
            case Statement.Advise advise -> throw new IllegalArgumentException("ADVISE is handled by the engine");
            case Statement.Prepare prepare -> throw new IllegalArgumentException("PREPARE is handled by the engine");
            case Statement.Transaction transaction ->
                throw new IllegalArgumentException("Transactions are handled by the engine");
            case Statement.Execute execute -> throw new IllegalArgumentException("EXECUTE is handled by the engine");
        };
    }

    private static StatementPlan nothing(Statement.Nothing nothing) {
        return new StatementPlan() {
            @Override
            public Cursor<Value> run(Execution execution) {
                execution.warn(ErrorCode.IGNORED_WARNING, nothing.why());
                return () -> null;
            }

            @Override
            public Value explain(Execution execution) {
                return ObjectValue.of("#operator", Value.of("Nothing"));
            }

            @Override
            public boolean changes() {
                return false;
            }
        };
    }

    private static StatementPlan query(QueryPlan plan) {
        return new StatementPlan() {
            @Override
            public Cursor<Value> run(Execution execution) {
                return plan.open(root(execution));
            }

            @Override
            public Value explain(Execution execution) {
                return plan.explain(root(execution));
            }

            @Override
            public boolean changes() {
                return false;
            }
        };
    }

    // ---- for statements that change something

    QueryPlanner queries() {
        return queries;
    }

    static Frame root(Execution execution) {
        return new Frame(0, null, execution);
    }

    ExprCompiler compiler(int block) {
        return new ExprCompiler(new BlockChain(block, QueryPlanner.ROOT), queries);
    }

    /** Opens what a statement changes. To return documents it needs to be allowed to select them. */
    static Keyspace target(Target target, @Nullable Eval returning, Execution execution, Need first, Need... more) {
        if (returning != null) {
            ref(target).open(execution, Need.SELECT);
        }
        return ref(target).open(execution, first, more);
    }

    static KeyspaceRef ref(Target target) {
        return new KeyspaceRef(target.path(), target.parameter());
    }

    static KeyspaceSlots slots(Target target) {
        return new KeyspaceSlots(target.alias(), target.slot(), target.metaSlot(), true, true);
    }

    static @Nullable Eval returning(@Nullable Projection returning, ExprCompiler compiler) {
        return returning == null ? null : Projector.of(returning, compiler);
    }

    /** Carries out a change. */
    interface Action {
        List<Value> run(Execution execution);
    }

    static StatementPlan change(Value explanation, Action action) {
        return change(execution -> explanation, action);
    }

    static StatementPlan change(Function<Execution, Value> explanation, Action action) {
        return new StatementPlan() {
            @Override
            public Cursor<Value> run(Execution execution) {
                return of(action.run(execution));
            }

            @Override
            public Value explain(Execution execution) {
                return explanation.apply(execution);
            }

            @Override
            public boolean changes() {
                return true;
            }
        };
    }

    static Cursor<Value> of(List<Value> values) {
        Iterator<Value> left = values.iterator();
        return new Cursor<>() {
            @Override
            public @Nullable Value next() {
                return left.hasNext() ? left.next() : null;
            }

            @Override
            public boolean ready() {
                return true;
            }
        };
    }

    static Value explanation(String operator, String keyspace, @Nullable Value child) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("#operator", Value.of(operator));
        fields.put("keyspace", Value.of(keyspace));
        if (child != null) {
            fields.put("~child", child);
        }
        return ObjectValue.of(fields);
    }
}
