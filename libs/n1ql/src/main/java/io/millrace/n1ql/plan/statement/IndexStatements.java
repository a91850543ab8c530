package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.SecondaryIndex;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.index.CompiledIndex;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE, BUILD and DROP INDEX. */
final class IndexStatements {

    private static final FieldName DEFER = FieldName.of(IndexOptions.DEFER);

    private IndexStatements() {}

    static StatementPlan plan(Statement.CreateIndex create, StatementPlanner planner) {
        String name = create.name() == null ? IndexDefinition.PRIMARY_NAME : create.name();
        Eval options = create.with() == null
                ? frame -> Value.MISSING
                : planner.compiler(0).compile(create.with());
        IndexDefinition index = CompiledIndex.definition(
                create, name, create.primary() ? IndexDefinition.State.ONLINE : IndexDefinition.State.BUILDING);
        CompiledIndex compiled = create.primary() ? null : CompiledIndex.of(index);
        KeyspaceRef ref = StatementPlanner.ref(create.target());
        String operator = create.primary() ? "CreatePrimaryIndex" : "CreateIndex";
        return StatementPlanner.change(StatementPlanner.explanation(operator, ref.toString(), null), execution -> {
            Keyspace keyspace = ref.open(execution, Need.MANAGE_INDEX);
            Value with = options.eval(new Frame(0, StatementPlanner.root(execution), execution));
            List<String> ignored = IndexOptions.ignored(create, with);
            boolean deferred = compiled != null && with.field(DEFER).truth();
            IndexDefinition created = deferred ? index.in(IndexDefinition.State.DEFERRED) : index;
            if (!execution.await(keyspace.createIndex(created))) {
                if (create.ifNotExists()) {
                    return List.of();
                }
                throw QueryException.of(ErrorCode.INDEX_EXISTS, "The index " + name + " already exists.");
            }
            ignored.forEach(what -> execution.warn(ErrorCode.IGNORED_WARNING, what));
            if (compiled != null) {
                compiled.unused().forEach(key -> execution.warn(ErrorCode.IGNORED_WARNING, key));
            }
            if (compiled != null && !deferred) {
                execution.await(keyspace.buildIndex(compiled.secondary()));
            }
            return List.of();
        });
    }

    static StatementPlan plan(Statement.DropIndex drop) {
        KeyspaceRef ref = StatementPlanner.ref(drop.target());
        return StatementPlanner.change(StatementPlanner.explanation("DropIndex", ref.toString(), null), execution -> {
            Keyspace keyspace = ref.open(execution, Need.MANAGE_INDEX);
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

    /** Builds deferred indexes, and those whose build was interrupted; each term is a name or an array of names. */
    static StatementPlan plan(Statement.BuildIndex build, StatementPlanner planner) {
        KeyspaceRef ref = StatementPlanner.ref(build.target());
        Eval[] names = planner.compiler(0).all(build.names());
        return StatementPlanner.change(
                StatementPlanner.explanation("BuildIndexes", ref.toString(), null), execution -> {
                    Keyspace keyspace = ref.open(execution, Need.MANAGE_INDEX);
                    Frame frame = new Frame(0, StatementPlanner.root(execution), execution);
                    List<IndexDefinition> wanted = new ArrayList<>();
                    for (Eval name : names) {
                        Value value = name.eval(frame);
                        List<Value> each = value instanceof ArrayValue several ? several.items() : List.of(value);
                        each.forEach(one -> wanted.add(named(keyspace, one)));
                    }
                    for (IndexDefinition index : wanted) {
                        if (!index.online()) {
                            SecondaryIndex built = CompiledIndex.of(index).secondary();
                            execution.await(keyspace.buildIndex(built));
                        }
                    }
                    return List.of();
                });
    }

    private static IndexDefinition named(Keyspace keyspace, Value name) {
        return keyspace.indexes().stream()
                .filter(index ->
                        name instanceof StringValue text && index.name().equals(text.text()))
                .findFirst()
                .orElseThrow(() -> noIndex(name.toString()));
    }
}
