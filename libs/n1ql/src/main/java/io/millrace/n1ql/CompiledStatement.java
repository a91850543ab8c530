package io.millrace.n1ql;

import io.millrace.n1ql.analysis.FieldMistakes;
import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.Formalization;
import io.millrace.n1ql.syntax.OptimizerHint;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A planned statement, which can run any number of times. Thread-safe. */
public final class CompiledStatement {

    private final QueryEngine engine;
    private final String text;
    private final Statement resolved;
    private final Set<String> parameterNames;
    private final List<OptimizerHint> hints;
    private final @Nullable String prepares;
    private final IndexedPlans plans;
    private final FieldMistakes mistakes;

    CompiledStatement(QueryEngine engine, String text, ParsedStatement parsed, Statement resolved, IndexedPlans plans) {
        this.engine = engine;
        this.text = text;
        this.resolved = resolved;
        this.parameterNames = parsed.parameters();
        this.hints = parsed.hints();
        this.prepares = parsed.statement() instanceof Statement.Prepare prepare ? QueryEngine.nameOf(prepare) : null;
        this.plans = plans;
        this.mistakes = FieldMistakes.of(resolved);
    }

    public String text() {
        return text;
    }

    /**
     * Returns the names of its parameters in the order of the text: the name of {@code $name} and {@code :name}, the
     * position, from 1, of {@code $1} and {@code ?}. Parameters of a statement that {@code EXECUTE} runs are not
     * included.
     */
    public Set<String> parameterNames() {
        return parameterNames;
    }

    /** Returns the name under which PREPARE keeps its statement, or null for any other statement. */
    public @Nullable String prepares() {
        return prepares;
    }

    /** Returns the text with the full names of keyspaces and fields. */
    String formalized(@Nullable QueryContext context) {
        return Formalization.of(resolved, text, context);
    }

    /** Throws unless the run may do all that this does. */
    void requireRights(Execution execution) {
        StatementNeeds.require(resolved, execution, engine);
    }

    /** Warns of each hint that the plan for the current indexes does not follow, which tells what indexes there are. */
    void warnOfHints(Execution execution) {
        if (!hints.isEmpty() && prepares == null) {
            requireRights(execution);
            plans.hints(hints, execution)
                    .ignored()
                    .forEach((hint, why) -> execution.warn(
                            ErrorCode.IGNORED_WARNING, "The hint " + hint + " is not followed: " + why + "."));
        }
    }

    /** Warns of fields that may be misspelled, when all rows of a run have been read. */
    void warnOfFields(Execution execution) {
        mistakes.warn(execution);
    }

    /** Returns whether it changes documents or indexes; for EXECUTE this is known only when it runs. */
    public boolean changes() {
        return plans.plain().changes();
    }

    /** Returns whether all that it changes are documents. */
    boolean changesDocuments() {
        return switch (resolved) {
            case Statement.Insert insert -> insert.target().isStored();
            case Statement.InsertSelect insert -> insert.target().isStored();
            case Statement.Update update -> update.target().isStored();
            case Statement.Delete delete -> delete.target().isStored();
            case Statement.Merge merge -> merge.target().isStored();
            default -> false;
        };
    }

    /**
     * Begins a run. Changes are complete when this returns; rows of a query are read on demand.
     *
     * @throws QueryException if it fails before the first row
     */
    public Rows run(QueryOptions options) {
        return engine.run(this, options);
    }

    /** Returns the plan without indexes. */
    StatementPlan plan() {
        return plans.plain();
    }

    /** Returns a plan for the current indexes that is measured, for one run. */
    StatementPlan measured(Execution execution) {
        return plans.measured(execution);
    }

    /** Returns the plan for the current indexes. */
    StatementPlan plan(Execution execution) {
        return plans.now(execution);
    }
}
