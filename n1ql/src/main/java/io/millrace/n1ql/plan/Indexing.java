package io.millrace.n1ql.plan;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE, BUILD and DROP INDEX. */
final class Indexing {

    private Indexing() {}

    static StatementPlan plan(Statement.CreateIndex create, StatementPlanner planner) {
        String name = create.name() == null ? IndexDefinition.PRIMARY_NAME : create.name();
        IndexDefinition index = new IndexDefinition(
                name,
                create.primary(),
                create.keys().stream()
                        .map(key -> new IndexDefinition.Key(ExprText.of(key.expr()), key.descending()))
                        .toList(),
                create.where() == null ? null : ExprText.of(create.where()),
                true);
        KeyspaceRef ref = StatementPlanner.ref(create.target());
        String operator = create.primary() ? "CreatePrimaryIndex" : "CreateIndex";
        return StatementPlanner.change(StatementPlanner.explanation(operator, ref.toString(), null), execution -> {
            Keyspace keyspace = ref.open(execution);
            if (!execution.await(keyspace.createIndex(index)) && !create.ifNotExists()) {
                throw QueryException.of(ErrorCode.INDEX_EXISTS, "The index " + name + " already exists.");
            }
            return List.of();
        });
    }

    static StatementPlan plan(Statement.DropIndex drop) {
        KeyspaceRef ref = StatementPlanner.ref(drop.target());
        return StatementPlanner.change(StatementPlanner.explanation("DropIndex", ref.toString(), null), execution -> {
            Keyspace keyspace = ref.open(execution);
            String name = drop.primary() ? primaryOf(keyspace) : drop.name();
            boolean dropped = name != null && execution.await(keyspace.dropIndex(name));
            if (!dropped && !drop.ifExists()) {
                throw noIndex(drop.primary() ? IndexDefinition.PRIMARY_NAME : String.valueOf(drop.name()));
            }
            return List.of();
        });
    }

    private static @Nullable String primaryOf(Keyspace keyspace) {
        return keyspace.indexes().stream()
                .filter(IndexDefinition::primary)
                .map(IndexDefinition::name)
                .findFirst()
                .orElse(null);
    }

    private static QueryException noIndex(String name) {
        return QueryException.of(ErrorCode.INDEX_NOT_FOUND, "The index " + name + " was not found.");
    }

    /** Indexes are built when they are created; this checks the names. */
    static StatementPlan plan(Statement.BuildIndex build, StatementPlanner planner) {
        KeyspaceRef ref = StatementPlanner.ref(build.target());
        Eval[] names = planner.compiler(0).all(build.names());
        return StatementPlanner.change(
                StatementPlanner.explanation("BuildIndexes", ref.toString(), null), execution -> {
                    Keyspace keyspace = ref.open(execution);
                    Frame frame = new Frame(0, StatementPlanner.root(execution), execution);
                    for (Eval name : names) {
                        Value value = name.eval(frame);
                        boolean known = value instanceof StringValue text
                                && keyspace.indexes().stream()
                                        .anyMatch(index -> index.name().equals(text.text()));
                        if (!known) {
                            throw noIndex(value.toString());
                        }
                    }
                    return List.of();
                });
    }
}
