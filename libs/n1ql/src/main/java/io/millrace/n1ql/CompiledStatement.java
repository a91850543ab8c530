package io.millrace.n1ql;

import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.runtime.Execution;
import java.util.Set;

/** A statement that is ready to run any number of times, by any threads at once. */
public final class CompiledStatement {

    private final QueryEngine engine;
    private final String text;
    private final Set<String> parameterNames;
    private final IndexedPlans plans;

    CompiledStatement(QueryEngine engine, String text, Set<String> parameterNames, IndexedPlans plans) {
        this.engine = engine;
        this.text = text;
        this.parameterNames = parameterNames;
        this.plans = plans;
    }

    public String text() {
        return text;
    }

    /**
     * Returns the names of its parameters in the order of the text: of {@code $name} and {@code :name} the name, of
     * {@code $1} and {@code ?} the position, from 1. What {@code EXECUTE} runs has parameters of its own.
     */
    public Set<String> parameterNames() {
        return parameterNames;
    }

    /** Returns true when it changes documents or indexes; of EXECUTE only the run can tell. */
    public boolean changes() {
        return plans.plain().changes();
    }

    /**
     * Begins a run. Changes are complete when this returns; rows of a query are read on demand.
     *
     * @throws QueryException when it fails before the first row
     */
    public Rows run(QueryOptions options) {
        return engine.run(this, options);
    }

    /** Returns the plan without indexes. */
    StatementPlan plan() {
        return plans.plain();
    }

    /** Returns the plan for the indexes that there are. */
    StatementPlan plan(Execution execution) {
        return plans.now(execution);
    }
}
