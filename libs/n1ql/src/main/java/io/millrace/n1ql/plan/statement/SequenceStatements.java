package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Sequence;
import io.millrace.n1ql.keyspace.SequenceName;
import io.millrace.n1ql.keyspace.SequenceStore;
import io.millrace.n1ql.keyspace.SequenceStore.Kept;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Sequences;
import io.millrace.n1ql.syntax.Statement;
import java.util.List;

/** CREATE, ALTER and DROP SEQUENCE. */
final class SequenceStatements {

    private SequenceStatements() {}

    static StatementPlan plan(Statement.CreateSequence create) {
        return change("CreateSequence", create.path(), execution -> {
            SequenceName name = name(create.path(), execution);
            if (!execution.store().scopes().contains(name.place())) {
                throw QueryException.of(
                        ErrorCode.SCOPE_NOT_FOUND, "Scope not found '%s.%s'".formatted(name.bucket(), name.scope()));
            }
            boolean made = execution.store().sequences().create(Sequence.of(name, create.options()));
            if (!made && !create.ifNotExists()) {
                throw QueryException.of(
                        ErrorCode.SEQUENCE_EXISTS,
                        "Sequence '%s' already exists; IF NOT EXISTS accepts that, ALTER SEQUENCE changes it."
                                .formatted(name));
            }
        });
    }

    static StatementPlan plan(Statement.AlterSequence alter) {
        return change("AlterSequence", alter.path(), execution -> {
            SequenceName name = name(alter.path(), execution);
            SequenceStore store = execution.store().sequences();
            Kept kept = store.find(name);
            while (kept != null && !store.replace(kept, kept.sequence().with(alter.options()))) {
                execution.check();
                kept = store.find(name);
            }
            if (kept == null && !alter.ifExists()) {
                throw Sequences.notFound(name);
            }
        });
    }

    static StatementPlan plan(Statement.DropSequence drop) {
        return change("DropSequence", drop.path(), execution -> {
            SequenceName name = name(drop.path(), execution);
            if (!execution.store().sequences().drop(name) && !drop.ifExists()) {
                throw Sequences.notFound(name);
            }
        });
    }

    private interface Action {
        void run(Execution execution);
    }

    private static StatementPlan change(String operator, List<String> path, Action action) {
        return StatementPlanner.change(
                StatementPlanner.explanation(operator, String.join(".", path), null), execution -> {
                    action.run(execution);
                    return List.of();
                });
    }

    private static SequenceName name(List<String> path, Execution execution) {
        SequenceName name = Sequences.name(path, execution);
        Sequences.require(Need.MANAGE_SEQUENCES, name, execution);
        return name;
    }
}
