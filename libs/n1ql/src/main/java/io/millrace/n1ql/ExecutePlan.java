package io.millrace.n1ql;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.QueryPlanner;
import io.millrace.n1ql.plan.index.Indexes;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import org.jspecify.annotations.Nullable;

/** EXECUTE: runs the prepared statement that has the name at that time. */
final class ExecutePlan implements StatementPlan {

    private final String name;
    private final @Nullable Eval using;
    private final QueryEngine engine;

    ExecutePlan(Statement.Execute execute, QueryEngine engine, SystemTables tables) {
        this.name = execute.name();
        this.using =
                new ExprCompiler(QueryPlanner.ROOT, new QueryPlanner(tables, Indexes.NONE)).optional(execute.using());
        this.engine = engine;
    }

    CompiledStatement wanted() {
        CompiledStatement wanted = engine.prepared(name);
        if (wanted.plan() instanceof ExecutePlan) {
            throw QueryException.of(ErrorCode.UNRECOGNISABLE_PREPARED, "EXECUTE of an EXECUTE: " + name);
        }
        return wanted;
    }

    /** Takes the parameters from USING or from the request, but not from both. */
    QueryOptions options(QueryOptions given, Execution execution) {
        if (using == null) {
            return given;
        }
        if (given.hasParameters()) {
            throw QueryException.of(
                    ErrorCode.EXECUTION_PARAMETER,
                    "Execution parameter error: cannot have both USING clause and request parameters");
        }
        Value value = using.eval(new Frame(0, null, execution));
        return switch (value) {
            case ArrayValue array -> given.withPositional(array.items());
            case ObjectValue object -> given.withNamed(object.fields());
            default ->
                throw QueryException.of(
                        ErrorCode.EXECUTION_PARAMETER,
                        "Execution parameter error: USING needs an array or an object, not "
                                + value.type().label());
        };
    }

    @Override
    public Cursor<Value> run(Execution execution) {
        throw new IllegalStateException("runs as what it stands for");
    }

    @Override
    public Value explain(Execution execution) {
        return wanted().plan(execution).explain(execution);
    }

    /** Delegates to the prepared statement. */
    @Override
    public boolean changes() {
        return false;
    }
}
