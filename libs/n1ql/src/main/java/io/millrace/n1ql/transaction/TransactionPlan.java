package io.millrace.n1ql.transaction;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.AtomicChange;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements whose changes are written together at the end, or none of them. If another writer has changed one of the
 * documents meanwhile, all statements are run again.
 */
public final class TransactionPlan implements StatementPlan {

    private static final int MOST_ATTEMPTS = 16;

    /** One step of a transaction. */
    public sealed interface Step {

        /** @param plan gives the plan for the indexes of a run */
        record Run(Function<Execution, StatementPlan> plan, boolean changes) implements Step {}

        record Savepoint(String name) implements Step {}

        /** Undoes what was changed since a savepoint. */
        record Back(String name) implements Step {}
    }

    private final List<Step> steps;
    private final boolean commits;
    private final boolean single;

    private TransactionPlan(List<Step> steps, boolean commits, boolean single) {
        this.steps = List.copyOf(steps);
        this.commits = commits;
        this.single = single;
    }

    /**
     * Returns a plan that has one row for each statement, an array of its rows.
     *
     * @param commits whether the changes are written at the end, not forgotten
     */
    public static TransactionPlan of(List<Step> steps, boolean commits) {
        return new TransactionPlan(steps, commits, false);
    }

    /** Returns a plan of one statement with its own rows. */
    public static TransactionPlan of(StatementPlan statement) {
        return new TransactionPlan(List.of(new Step.Run(run -> statement, statement.changes())), true, true);
    }

    @Override
    public boolean changes() {
        return steps.stream().anyMatch(step -> step instanceof Step.Run run && run.changes());
    }

    @Override
    public Value explain(Execution execution) {
        List<Value> children = new ArrayList<>();
        for (Step step : steps) {
            if (step instanceof Step.Run run) {
                children.add(run.plan().apply(execution).explain(execution));
            }
        }
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("#operator", Value.of("Transaction"));
        fields.put("~children", ArrayValue.of(children));
        return ObjectValue.of(fields);
    }

    @Override
    public Cursor<Value> run(Execution execution) {
        KeyspaceStore store = execution.store();
        try {
            for (int attempt = 1; ; attempt++) {
                Transaction transaction = new Transaction(store);
                long held = execution.held();
                List<Value> rows = rows(transaction, execution);
                if (!commits) {
                    execution.mutations(0);
                    return cursor(rows);
                }
                AtomicChange.Conflict conflict = write(transaction, store, execution);
                if (conflict == null) {
                    return cursor(rows);
                }
                if (attempt >= MOST_ATTEMPTS) {
                    throw conflict(conflict);
                }
                execution.hold(held - execution.held());
                execution.mutations(0);
            }
        } finally {
            execution.continueWith(store);
        }
    }

    private static Cursor<Value> cursor(List<Value> rows) {
        Iterator<Value> left = rows.iterator();
        return () -> left.hasNext() ? left.next() : null;
    }

    // ---- statements

    private List<Value> rows(Transaction transaction, Execution execution) {
        Map<String, Long> mutations = new HashMap<>();
        List<Value> results = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Run run -> {
                    execution.continueWith(transaction);
                    List<Value> rows = rows(run.plan().apply(execution), execution);
                    if (single) {
                        return rows;
                    }
                    results.add(ArrayValue.of(rows));
                }
                case Step.Savepoint savepoint -> {
                    transaction.savepoint(savepoint.name());
                    mutations.put(savepoint.name(), execution.mutations());
                }
                case Step.Back back -> {
                    if (!transaction.back(back.name())) {
                        throw QueryException.of(
                                ErrorCode.NO_TRANSACTIONS,
                                "There is no savepoint %s before ROLLBACK TO; nothing was written."
                                        .formatted(back.name()));
                    }
                    execution.mutations(mutations.getOrDefault(back.name(), 0L));
                }
            }
        }
        return results;
    }

    /** An error of one document, which otherwise leaves the others changed, ends the transaction. */
    private static List<Value> rows(StatementPlan plan, Execution execution) {
        List<Value> rows = new ArrayList<>();
        long before = execution.held();
        HeldBytes held = new HeldBytes(execution);
        try (Cursor<Value> cursor = plan.run(execution)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                execution.step();
                Value kept = ValueBytes.alone(row);
                held.add(ValueBytes.size(kept));
                rows.add(kept);
            }
        }
        // of the statement, its rows are left
        execution.hold(before + held.bytes() - execution.held());
        if (!execution.errors().isEmpty()) {
            throw execution.errors().getFirst();
        }
        return rows;
    }

    // ---- the end

    private static AtomicChange.@Nullable Conflict write(
            Transaction transaction, KeyspaceStore store, Execution execution) {
        List<AtomicChange> changes = transaction.changes();
        if (changes.isEmpty()) {
            return null;
        }
        execution.check();
        return switch (outcome(changes, store, execution)) {
            case AtomicChange.Done done -> null;
            case AtomicChange.Conflict conflict -> conflict;
            case AtomicChange.Refused refused ->
                throw QueryException.of(ErrorCode.NO_TRANSACTIONS, "Nothing was written: " + refused.reason() + ".");
        };
    }

    private static AtomicChange.Outcome outcome(List<AtomicChange> changes, KeyspaceStore store, Execution execution) {
        try {
            return execution.await(store.changeAll(changes));
        } catch (QueryException e) {
            boolean unknown = e.errorCode() == ErrorCode.TIMEOUT
                    || e.errorCode() == ErrorCode.CANCELLED
                    || e.errorCode() == ErrorCode.UNAVAILABLE;
            throw unknown
                    ? QueryException.of(
                            e.errorCode(),
                            "The transaction ended while it was written; read its documents to see whether it was: "
                                    + e.getMessage())
                    : e;
        }
    }

    private static QueryException conflict(AtomicChange.Conflict conflict) {
        return QueryException.of(
                ErrorCode.TRANSACTION_CONFLICT,
                "Other writers changed the document %s of %s during each of %d attempts; nothing was written. Repeat the request."
                        .formatted(conflict.key(), conflict.keyspace(), MOST_ATTEMPTS));
    }
}
