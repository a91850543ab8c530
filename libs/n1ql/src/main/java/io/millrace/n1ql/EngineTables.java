package io.millrace.n1ql;

import io.millrace.n1ql.QueryEngine.ActiveRequest;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables {@code system:prepareds}, {@code keyspaces}, {@code indexes}, {@code active_requests} and {@code dual}. */
final class EngineTables implements SystemTables {

    private final KeyspaceStore store;
    private final PreparedStatements prepared;
    private final Map<String, ActiveRequest> active;

    EngineTables(KeyspaceStore store, PreparedStatements prepared, Map<String, ActiveRequest> active) {
        this.store = store;
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
            case "keyspaces" -> keyspaces(execution.rights());
            case "indexes" -> indexes(execution);
            case "active_requests" -> {
                execution.requireSystem();
                yield requests();
            }
            case "dual" -> List.of(new Entry("dual", Value.NULL));
            default -> throw QueryException.keyspaceNotFound("system:" + name);
        };
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

    private List<Entry> keyspaces(StatementRights rights) {
        List<Entry> entries = new ArrayList<>();
        for (KeyspaceName name : store.names()) {
            if (!rights.shows(name)) {
                continue;
            }
            Map<String, Value> fields = new LinkedHashMap<>();
            fields.put("bucket", Value.of(name.bucket()));
            fields.put("scope", Value.of(name.scope()));
            fields.put("name", Value.of(name.collection()));
            fields.put("path", Value.of(name.toString()));
            entries.add(new Entry(name.toString(), ObjectValue.of(fields)));
        }
        return entries;
    }

    private List<Entry> indexes(Execution execution) {
        List<Entry> entries = new ArrayList<>();
        for (KeyspaceName name : store.names()) {
            Keyspace keyspace = execution.rights().shows(name) ? store.keyspace(name) : null;
            if (keyspace != null) {
                for (IndexDefinition index : keyspace.indexes()) {
                    entries.add(new Entry(name + "/" + index.name(), index(keyspace, index, execution)));
                }
            }
        }
        return entries;
    }

    private static Value index(Keyspace keyspace, IndexDefinition index, Execution execution) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("name", Value.of(index.name()));
        fields.put("keyspace_id", Value.of(keyspace.name().bucket()));
        fields.put("is_primary", Value.of(index.primary()));
        fields.put(
                "index_key",
                ArrayValue.ofStrings(
                        index.keys().stream().map(EngineTables::key).toList()));
        if (index.where() != null) {
            fields.put("condition", Value.of(index.where()));
        }
        fields.put("state", Value.of(index.state().name().toLowerCase(Locale.ROOT)));
        if (index.state() == IndexDefinition.State.BUILDING) {
            fields.put("progress", Value.of((long) execution.await(keyspace.buildProgress(index.name()))));
        }
        fields.put("using", Value.of("gsi"));
        return ObjectValue.of(fields);
    }

    private static String key(IndexDefinition.Key key) {
        return (key.each() ? "distinct " : "") + key.text() + (key.descending() ? " DESC" : "");
    }

    private List<Entry> requests() {
        List<Entry> entries = new ArrayList<>();
        active.values().forEach(request -> {
            Map<String, Value> fields = new LinkedHashMap<>();
            fields.put("requestId", Value.of(request.id()));
            fields.put("statement", Value.of(request.statement()));
            if (request.clientContextId() != null) {
                fields.put("clientContextID", Value.of(request.clientContextId()));
            }
            fields.put("requestTime", Value.of(request.begun().toString()));
            entries.add(new Entry(request.id(), ObjectValue.of(fields)));
        });
        return entries;
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
            default -> false;
        };
    }
}
