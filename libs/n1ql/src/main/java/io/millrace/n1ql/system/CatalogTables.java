package io.millrace.n1ql.system;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.plan.operator.SystemTables.Entry;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The tables of {@code system:} about buckets, scopes, keyspaces and indexes: what the user may see of them. */
public final class CatalogTables {

    private static final String NAMESPACE = "default";

    private final KeyspaceStore store;
    private final ServiceCatalog service;

    public CatalogTables(KeyspaceStore store, ServiceCatalog service) {
        this.store = store;
        this.service = service;
    }

    /** Tells each name of a table, and what gives its rows. */
    public void tell(BiConsumer<String, Function<Execution, List<Entry>>> tables) {
        Entry datastore = named("millrace", Map.of("id", Value.of("millrace")));
        tables.accept("datastores", run -> List.of(datastore));
        Entry namespace = named(NAMESPACE, Map.of("id", Value.of(NAMESPACE), "name", Value.of(NAMESPACE)));
        tables.accept("namespaces", run -> List.of(namespace));
        tables.accept("buckets", run -> buckets(run.rights()));
        for (String name : List.of("bucket_info", "database_info")) {
            tables.accept(name, this::bucketSettings);
        }
        for (String name : List.of("scopes", "all_scopes")) {
            tables.accept(name, run -> scopes(run.rights()));
        }
        for (String name : List.of("keyspaces", "all_keyspaces")) {
            tables.accept(name, run -> keyspaces(run.rights()));
        }
        for (String name : List.of("indexes", "all_indexes")) {
            tables.accept(name, this::indexes);
        }
    }

    private static Entry named(String key, Map<String, Value> fields) {
        return new Entry(key, ObjectValue.of(fields));
    }

    private List<KeyspaceName> shown(StatementRights rights) {
        return store.names().stream().filter(rights::shows).toList();
    }

    private Set<String> bucketNames(StatementRights rights) {
        Set<String> names = new LinkedHashSet<>();
        shown(rights).forEach(name -> names.add(name.bucket()));
        return names;
    }

    private List<Entry> buckets(StatementRights rights) {
        List<Entry> entries = new ArrayList<>();
        for (String bucket : bucketNames(rights)) {
            entries.add(new Entry(bucket, ObjectValue.of(place(bucket, NAMESPACE + ":" + bucket))));
        }
        return entries;
    }

    private List<Entry> bucketSettings(Execution execution) {
        List<Entry> entries = new ArrayList<>();
        for (String bucket : bucketNames(execution.rights())) {
            execution
                    .await(service.bucket(bucket))
                    .ifPresent(
                            settings -> entries.add(new Entry(bucket, Objects.requireNonNull(Json.parse(settings)))));
        }
        return entries;
    }

    private List<Entry> scopes(StatementRights rights) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (KeyspaceName name : store.scopes().stream().filter(rights::shows).toList()) {
            String path = NAMESPACE + ":" + name.bucket() + "." + name.scope();
            Map<String, Value> fields = place(name.scope(), path);
            fields.put("bucket", Value.of(name.bucket()));
            entries.putIfAbsent(path, new Entry(path, ObjectValue.of(fields)));
        }
        return List.copyOf(entries.values());
    }

    private static Map<String, Value> place(String name, String path) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("name", Value.of(name));
        fields.put("namespace", Value.of(NAMESPACE));
        fields.put("namespace_id", Value.of(NAMESPACE));
        fields.put("path", Value.of(path));
        return fields;
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
                        index.keys().stream().map(CatalogTables::key).toList()));
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
}
