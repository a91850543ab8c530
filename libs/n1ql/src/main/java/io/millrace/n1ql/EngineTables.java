package io.millrace.n1ql;

import io.millrace.n1ql.QueryEngine.ActiveRequest;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.Sequence;
import io.millrace.n1ql.keyspace.SequenceName;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of {@code system:}; those of the catalog are those of {@link CatalogTables}. */
final class EngineTables implements SystemTables {

    private final CatalogTables catalog;
    private final PreparedStatements prepared;
    private final Map<String, ActiveRequest> active;
    private final RequestHistory history;

    EngineTables(
            KeyspaceStore store,
            PreparedStatements prepared,
            Map<String, ActiveRequest> active,
            RequestHistory history) {
        this.history = history;
        this.catalog = new CatalogTables(store);
        this.prepared = prepared;
        this.active = active;
    }

    @Override
    public List<Entry> rows(String name, Execution execution) {
        return switch (name) {
            case "prepareds" -> {
                execution.requireSystem();
                yield prepareds();
            }
            case "active_requests" -> {
                execution.requireSystem();
                yield requests();
            }
            case "completed_requests" -> {
                execution.requireSystem();
                yield completed();
            }
            case "my_user_info" -> List.of(user(execution.rights().user()));
            case "nodes" -> nodes();
            case "functions", "functions_cache" -> functions(execution);
            case "sequences" -> sequences(execution);
            case "dual" -> List.of(new Entry("dual", Value.NULL));
            default -> catalog.rows(name, execution);
        };
    }

    private static List<Entry> functions(Execution execution) {
        List<Entry> entries = new ArrayList<>();
        for (FunctionDefinition function : execution.store().functions().all()) {
            FunctionDefinition.Name name = function.name();
            Map<String, Value> identity = new LinkedHashMap<>();
            identity.put("name", Value.of(name.function()));
            identity.put("namespace", Value.of("default"));
            identity.put("type", Value.of(name.bucket() == null ? "global" : "scope"));
            if (name.bucket() != null && name.scope() != null) {
                if (!execution.rights().shows(new KeyspaceName(name.bucket(), name.scope(), KeyspaceName.DEFAULT))) {
                    continue;
                }
                identity.put("bucket", Value.of(name.bucket()));
                identity.put("scope", Value.of(name.scope()));
            }
            Map<String, Value> definition = new LinkedHashMap<>();
            definition.put("#language", Value.of(function.language().label()));
            definition.put(
                    function.language() == FunctionDefinition.Language.INLINE ? "expression" : "text",
                    Value.of(function.expression()));
            definition.put(
                    "parameters", function.variadic() ? Value.NULL : ArrayValue.ofStrings(function.parameters()));
            entries.add(new Entry(
                    name.toString(),
                    ObjectValue.of(
                            Map.of("identity", ObjectValue.of(identity), "definition", ObjectValue.of(definition)))));
        }
        return entries;
    }

    private static List<Entry> sequences(Execution execution) {
        List<Entry> entries = new ArrayList<>();
        for (Sequence sequence : execution.store().sequences().all()) {
            SequenceName name = sequence.name();
            if (execution.rights().shows(name.place())) {
                Map<String, Value> fields = new LinkedHashMap<>();
                fields.put("bucket", Value.of(name.bucket()));
                fields.put("scope_id", Value.of(name.scope()));
                fields.put("name", Value.of(name.sequence()));
                fields.put("namespace_id", Value.of("default"));
                fields.put("path", Value.of(name.toString()));
                fields.putAll(sequence.options());
                Long next = sequence.next();
                fields.put(
                        "value", ObjectValue.of("~next_block", next == null ? Value.NULL : Value.of(next.longValue())));
                entries.add(new Entry(name.toString(), ObjectValue.of(fields)));
            }
        }
        return entries;
    }

    private List<Entry> prepareds() {
        List<Entry> entries = new ArrayList<>();
        prepared.all().forEach((name, text) -> {
            Map<String, Value> fields = new LinkedHashMap<>();
            fields.put("name", Value.of(name));
            fields.put("statement", Value.of(text));
            entries.add(new Entry(name, ObjectValue.of(fields)));
        });
        return entries;
    }

    private List<Entry> requests() {
        List<Entry> entries = new ArrayList<>();
        active.values().forEach(request -> {
            Map<String, Value> fields = described(
                    request.id(), request.statement(), request.clientContextId(), request.user(), request.begun());
            fields.put("elapsedTime", Value.of(millis(request.elapsed())));
            fields.put("state", Value.of("running"));
            fields.put("usedMemory", Value.of(request.execution().held()));
            entries.add(new Entry(request.id(), ObjectValue.of(fields)));
        });
        return entries;
    }

    private List<Entry> completed() {
        List<Entry> entries = new ArrayList<>();
        for (CompletedRequest request : history.all()) {
            Map<String, Value> fields = described(
                    request.id(), request.statement(), request.clientContextId(), request.user(), request.begun());
            fields.put("elapsedTime", Value.of(millis(request.elapsed())));
            fields.put("state", Value.of(request.state()));
            fields.put("resultCount", Value.of(request.rows()));
            fields.put("mutationCount", Value.of(request.mutations()));
            fields.put("sortCount", Value.of(request.sorted()));
            QueryException failure = request.failure();
            fields.put("errorCount", Value.of(failure == null ? 0L : 1L));
            if (failure != null) {
                fields.put("errors", ArrayValue.of(Value.of(failure.code() + " " + failure.getMessage())));
            }
            entries.add(new Entry(request.id(), ObjectValue.of(fields)));
        }
        return entries;
    }

    private static Map<String, Value> described(
            String id, String statement, @Nullable String clientContextId, String user, Instant begun) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("requestId", Value.of(id));
        fields.put("statement", Value.of(statement));
        if (clientContextId != null) {
            fields.put("clientContextID", Value.of(clientContextId));
        }
        fields.put("users", Value.of(user));
        fields.put("requestTime", Value.of(begun.toString()));
        return fields;
    }

    private static String millis(Duration elapsed) {
        return String.format(Locale.ROOT, "%.3fms", elapsed.toNanos() / 1e6);
    }

    private static Entry user(StatementRights.User user) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("domain", Value.of(user.domain()));
        fields.put("id", Value.of(user.name()));
        fields.put("roles", ArrayValue.ofStrings(user.roles()));
        return new Entry(user.name(), ObjectValue.of(fields));
    }

    /** The process that answers: it knows no other one. */
    private static List<Entry> nodes() {
        String name = "process " + ProcessHandle.current().pid();
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("name", Value.of(name));
        fields.put("services", ArrayValue.ofStrings(List.of("n1ql")));
        return List.of(new Entry(name, ObjectValue.of(fields)));
    }

    @Override
    public boolean delete(String name, String key) {
        return switch (name) {
            case "prepareds" -> prepared.remove(key);
            case "active_requests" -> {
                ActiveRequest request = active.get(key);
                if (request != null) {
                    request.execution().end(QueryException.cancelled());
                }
                yield request != null;
            }
            case "completed_requests" -> history.remove(key);
            default -> false;
        };
    }
}
