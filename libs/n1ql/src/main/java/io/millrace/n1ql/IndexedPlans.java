package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.plan.index.CompiledIndex;
import io.millrace.n1ql.plan.index.Indexes;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.OptimizerHint;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The plans of one statement: one without secondary indexes, and one for each set of indexes that existed when it ran. A
 * run takes the plan for the current indexes; most statements have only the first plan.
 */
final class IndexedPlans {

    /**
     * The most plans that are kept; a statement whose keyspace is a parameter may need more, which are planned again.
     */
    private static final int MOST_PLANS = 16;

    /** Makes plans. */
    interface Planner {

        /** @param measured whether the operators of the plan are measured */
        StatementPlan plan(Indexes indexes, boolean measured);
    }

    private final Planner planner;
    private final StatementPlan plain;
    private final Map<KeyspaceRef, List<CompiledIndex>> asked = new LinkedHashMap<>();
    private final Map<List<List<IndexDefinition>>, StatementPlan> plans = new ConcurrentHashMap<>();
    private final Map<StatementPlan, HintReport> reports = Collections.synchronizedMap(new IdentityHashMap<>());

    /** Plans a statement without indexes, and records the keyspaces whose indexes it could use. */
    IndexedPlans(Planner planner) {
        this.planner = planner;
        this.plain = planner.plan(
                ref -> {
                    asked.put(ref, List.of());
                    return List.of();
                },
                false);
    }

    /** Returns the plan that uses no index. */
    StatementPlan plain() {
        return plain;
    }

    /** Returns the plan for the current indexes. */
    StatementPlan now(Execution execution) {
        if (asked.isEmpty()) {
            return plain;
        }
        List<List<IndexDefinition>> found =
                asked.keySet().stream().map(ref -> online(ref, execution)).toList();
        if (found.stream().allMatch(List::isEmpty)) {
            return plain;
        }
        StatementPlan known = plans.get(found);
        if (known != null) {
            return known;
        }
        if (plans.size() >= MOST_PLANS) {
            plans.clear();
            reports.clear();
        }
        StatementPlan planned = planner.plan(compiled(found), false);
        plans.put(found, planned);
        return planned;
    }

    /** Returns a plan for the current indexes that is measured, for one run. */
    StatementPlan measured(Execution execution) {
        return planner.plan(
                compiled(asked.keySet().stream()
                        .map(ref -> online(ref, execution))
                        .toList()),
                true);
    }

    private Indexes compiled(List<List<IndexDefinition>> found) {
        Map<KeyspaceRef, List<CompiledIndex>> indexes = new LinkedHashMap<>();
        int at = 0;
        for (KeyspaceRef ref : asked.keySet()) {
            indexes.put(ref, found.get(at++).stream().map(CompiledIndex::of).toList());
        }
        return ref -> indexes.getOrDefault(ref, List.of());
    }

    /** Returns which hints the plan for the current indexes follows; computed once for a plan. */
    HintReport hints(List<OptimizerHint> hints, Execution execution) {
        StatementPlan plan = now(execution);
        HintReport known = reports.get(plan);
        if (known == null) {
            known = HintReport.of(hints, plan.explain(execution));
            reports.put(plan, known);
        }
        return known;
    }

    private static List<IndexDefinition> online(KeyspaceRef ref, Execution execution) {
        try {
            return ref.indexes(execution).stream()
                    .filter(index -> !index.primary() && index.online())
                    .toList();
        } catch (QueryException e) {
            return List.of(); // EXPLAIN does not need it, and a run reports it
        }
    }
}
