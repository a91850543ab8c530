package io.millrace.n1ql;

import io.millrace.n1ql.QueryEngine.ActiveRequest;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.Sequence;
import io.millrace.n1ql.keyspace.SequenceName;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.system.AbsentTables;
import io.millrace.n1ql.system.CatalogTables;
import io.millrace.n1ql.system.Node;
import io.millrace.n1ql.system.UserTables;
import io.millrace.n1ql.system.Vitals;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of {@code system:}. */
final class EngineTables implements SystemTables {

    private final Map<String, Function<Execution, List<Entry>>> tables = new HashMap<>();
    private final PreparedStatements prepared;
    private final Map<String, ActiveRequest> active;
    private final RequestHistory history;

    EngineTables(
            KeyspaceStore store,
            ServiceCatalog service,
            InstantSource clock,
            PreparedStatements prepared,
            Map<String, ActiveRequest> active,
            RequestHistory history) {
        this.history = history;
        this.prepared = prepared;
        this.active = active;
        new CatalogTables(store, service).tell(tables::put);
        UserTables users = new UserTables(service);
        tables.put("my_user_info", UserTables::own);
        tables.put("user_info", users::users);
        tables.put("applicable_roles", users::roles);
        tables.put("group_info", users::groups);
        restricted("prepareds", run -> prepareds());
        restricted("active_requests", run -> requests());
        restricted("completed_requests", run -> completed());
        restricted("transactions", run -> transactions());
        restricted("vitals", run -> List.of(Vitals.of(Node.name(), clock.instant(), active.size(), history.times())));
        restricted("tasks_cache", run -> List.of()); // nothing is scheduled: ADVISOR has no sessions
        tables.put("dictionary", run -> List.of()); // no statistics are kept
        tables.put("dictionary_cache", run -> List.of());
        tables.put("nodes", run -> nodes());
        tables.put("functions", EngineTables::functions);
        tables.put("functions_cache", EngineTables::functions);
        tables.put("sequences", EngineTables::sequences);
        tables.put("all_sequences", EngineTables::sequences);
        tables.put("dual", run -> List.of(new Entry("dual", Value.NULL)));
    }

    /** Adds a table about requests of others. */
    private void restricted(String name, Function<Execution, List<Entry>> rows) {
        tables.put(name, execution -> {
            execution.requireSystem();
            return rows.apply(execution);
        });
    }

    @Override
    public List<Entry> rows(String name, Execution execution) {
        Function<Execution, List<Entry>> table = tables.get(name);
        if (table == null) {
            throw AbsentTables.refusal(name, tables.keySet());
        }
        return table.apply(execution);
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
            fields.put("elapsedTime", Value.of(SystemTables.millis(request.elapsed())));
            fields.put("state", Value.of("running"));
            fields.put("usedMemory", Value.of(request.execution().held()));
            entries.add(new Entry(request.id(), ObjectValue.of(fields)));
        });
        return entries;
    }

    /** Those of requests that run now: a transaction does not outlive its request. */
    private List<Entry> transactions() {
        List<Entry> entries = new ArrayList<>();
        for (ActiveRequest request : active.values()) {
            if (request.transaction()) {
                Map<String, Value> fields = new LinkedHashMap<>();
                fields.put("id", Value.of(request.id()));
                fields.put("node", Value.of(Node.name()));
                fields.put("users", Value.of(request.user()));
                fields.put("isolationLevel", Value.of("READ COMMITTED"));
                fields.put("startTime", Value.of(request.begun().toString()));
                if (request.timeout().isPositive()) {
                    fields.put("timeout", Value.of(SystemTables.millis(request.timeout())));
                    fields.put(
                            "expiryTime",
                            Value.of(request.begun().plus(request.timeout()).toString()));
                }
                fields.put("usedMemory", Value.of(request.execution().held()));
                entries.add(new Entry(request.id(), ObjectValue.of(fields)));
            }
        }
        return entries;
    }

    private List<Entry> completed() {
        List<Entry> entries = new ArrayList<>();
        for (CompletedRequest request : history.all()) {
            Map<String, Value> fields = described(
                    request.id(), request.statement(), request.clientContextId(), request.user(), request.begun());
            fields.put("elapsedTime", Value.of(SystemTables.millis(request.elapsed())));
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

    /** The process that answers: it knows no other one. */
    private static List<Entry> nodes() {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("name", Value.of(Node.name()));
        fields.put("services", ArrayValue.ofStrings(List.of("n1ql")));
        return List.of(new Entry(Node.name(), ObjectValue.of(fields)));
    }

    @Override
    public boolean delete(String name, String key) {
        return switch (name) {
            case "prepareds" -> prepared.remove(key);
            case "active_requests", "transactions" -> {
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
