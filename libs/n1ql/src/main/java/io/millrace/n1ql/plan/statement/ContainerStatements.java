package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Container;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** CREATE and DROP of buckets, scopes and collections, and FLUSH. */
final class ContainerStatements {

    private static final int FLUSH_PAGE = 256;

    private static final String LARGEST_LIFETIME = "maxTTL";

    /** The numbers that say that there is none. */
    private static final Set<Double> NO_LIFETIME = Set.of(0.0, -1.0);

    private ContainerStatements() {}

    static StatementPlan plan(Statement.CreateContainer create, StatementPlanner planner) {
        Eval options = create.with() == null
                ? frame -> Value.MISSING
                : planner.compiler(0).compile(create.with());
        return StatementPlanner.change(explanation("Create", create.kind(), create.target()), execution -> {
            Container container = container(create.kind(), create.target(), execution);
            Value with = options.eval(StatementPlanner.root(execution));
            requireNoLifetime(create.kind(), with);
            if (!execution.store().create(container)) {
                if (!create.ifNotExists()) {
                    throw QueryException.of(
                            container.kind() == Container.Kind.SCOPE
                                    ? ErrorCode.SCOPE_EXISTS
                                    : ErrorCode.KEYSPACE_EXISTS,
                            "The %s %s exists already; IF NOT EXISTS accepts that."
                                    .formatted(create.kind().label(), container));
                }
            }
            if (!with.isMissing()) {
                execution.warn(
                        ErrorCode.IGNORED_WARNING,
                        "The options of a " + create.kind().label() + " have no effect: " + with);
            }
            return List.of();
        });
    }

    /** An error and not a warning: data that should be gone after a time would stay. */
    private static void requireNoLifetime(Container.Kind kind, Value with) {
        if (!(with instanceof ObjectValue options)) {
            return;
        }
        Value lifetime = options.fields().get(LARGEST_LIFETIME);
        if (lifetime != null
                && !(lifetime instanceof NumberValue number && NO_LIFETIME.contains(number.doubleValue()))) {
            throw QueryException.of(
                    ErrorCode.SEMANTICS,
                    "%s is %s, but a %s has no time to live; leave it out, and give each document its own: VALUES (key, value, {\"expiration\": seconds})."
                            .formatted(LARGEST_LIFETIME, lifetime, kind.label()));
        }
    }

    static StatementPlan plan(Statement.DropContainer drop) {
        return StatementPlanner.change(explanation("Drop", drop.kind(), drop.target()), execution -> {
            Container container = container(drop.kind(), drop.target(), execution);
            if (!execution.store().drop(container) && !drop.ifExists()) {
                throw QueryException.of(
                        switch (drop.kind()) {
                            case BUCKET -> ErrorCode.BUCKET_NOT_FOUND;
                            case SCOPE -> ErrorCode.SCOPE_NOT_FOUND;
                            case COLLECTION -> ErrorCode.KEYSPACE_NOT_FOUND;
                        },
                        "The %s %s was not found; IF EXISTS accepts that."
                                .formatted(drop.kind().label(), container));
            }
            return List.of();
        });
    }

    static StatementPlan plan(Statement.Flush flush) {
        KeyspaceRef ref = StatementPlanner.ref(flush.target());
        return StatementPlanner.change(StatementPlanner.explanation("Flush", ref.toString(), null), execution -> {
            Keyspace keyspace = ref.open(execution, Need.DELETE);
            KeyRange left = KeyRange.ALL;
            for (List<String> keys = execution.await(keyspace.keys(left, FLUSH_PAGE));
                    !keys.isEmpty();
                    keys = execution.await(keyspace.keys(left, FLUSH_PAGE))) {
                List<CompletableFuture<Change.Outcome>> deletions = new ArrayList<>();
                for (String key : keys) {
                    execution.step();
                    deletions.add(keyspace.change(new Change(Change.Kind.DELETE, key, null, 0, null)));
                }
                for (CompletableFuture<Change.Outcome> deletion : deletions) {
                    if (execution.await(deletion) instanceof Change.Done) {
                        execution.countMutation();
                    }
                }
                left = left.after(keys.getLast(), false);
            }
            return List.of();
        });
    }

    private static Value explanation(String verb, Container.Kind kind, Target target) {
        String name = kind.label();
        return StatementPlanner.explanation(
                verb + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1),
                StatementPlanner.ref(target).toString(),
                null);
    }

    private static Container container(Container.Kind kind, Target target, Execution execution) {
        Container container =
                target.parameter() != null ? null : Container.of(kind, target.path(), execution.queryContext());
        if (container == null) {
            throw target.place()
                    .error(ErrorCode.SYNTAX, "the name of a %s has the form %s".formatted(kind.label(), kind.form()));
        }
        execution.require(
                kind == Container.Kind.BUCKET ? Need.MANAGE_BUCKET : Need.MANAGE_COLLECTIONS, container.name());
        return container;
    }
}
