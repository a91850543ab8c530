package io.millrace.n1ql.conformance;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The documents that cases query. */
final class Datasets {

    /** Cases of these datasets say in their hints or notes which index they are about. */
    private static final Map<String, List<String>> INDEXES = Map.of(
            "statements", List.of("CREATE INDEX index_custId_D ON customer(custId)"),
            "hashjoin", List.of("CREATE INDEX purch_customerId ON purchase(customerId)"));

    private final Path folder;
    private final ObjectValue manifest;
    private final Map<String, List<Document>> files = new HashMap<>();

    private record Document(String key, Value value) {}

    Datasets(Path folder) throws IOException {
        this.folder = folder;
        this.manifest =
                (ObjectValue) Objects.requireNonNull(Json.parse(Files.readAllBytes(folder.resolve("manifest.json"))));
    }

    /** Returns the keyspaces of a dataset, fresh, each with a primary index. */
    MemoryKeyspaces load(String dataset) throws IOException {
        MemoryKeyspaces keyspaces = new MemoryKeyspaces();
        if (!(manifest.get(dataset) instanceof ObjectValue described)
                || !(described.get("keyspaces") instanceof ObjectValue members)) {
            return keyspaces;
        }
        for (Map.Entry<String, Value> member : members.fields().entrySet()) {
            String[] path = member.getKey().split("\\.");
            MemoryKeyspace keyspace = keyspaces.create(
                    path.length == 3 ? new KeyspaceName(path[0], path[1], path[2]) : KeyspaceName.of(member.getKey()));
            keyspace.createIndex(IndexDefinition.primary(IndexDefinition.PRIMARY_NAME));
            ObjectValue source = (ObjectValue) member.getValue();
            List<Document> documents =
                    source.get("derive") instanceof ObjectValue derive ? derived(derive) : file(text(source, "file"));
            documents.forEach(
                    document -> keyspace.put(document.key(), document.value().toJsonBytes()));
            long count = ((NumberValue) source.get("count")).longValue();
            if (keyspace.count().join() != count) {
                throw new IllegalStateException(dataset + " " + member.getKey() + " has not " + count + " documents");
            }
        }
        for (String statement : INDEXES.getOrDefault(dataset, List.of())) {
            new QueryEngine(keyspaces, InstantSource.system())
                    .execute(statement, QueryOptions.DEFAULT)
                    .close();
        }
        return keyspaces;
    }

    private static String text(ObjectValue object, String name) {
        return ((StringValue) object.get(name)).text();
    }

    private List<Document> file(String name) throws IOException {
        List<Document> known = files.get(name);
        if (known != null) {
            return known;
        }
        List<Document> documents = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve(name))) {
            ObjectValue entry = (ObjectValue) Objects.requireNonNull(Json.parse(line));
            documents.add(new Document(text(entry, "id"), entry.get("value")));
        }
        files.put(name, documents);
        return documents;
    }

    private List<Document> derived(ObjectValue derive) throws IOException {
        Set<Value> excluded = new HashSet<>();
        if (derive.get("excludeKeys") instanceof ArrayValue keys) {
            excluded.addAll(keys.items());
        }
        ObjectValue set = (ObjectValue) derive.get("set");
        List<Document> documents = new ArrayList<>();
        for (Document base : file(text(derive, "from"))) {
            if (excluded.contains(Value.of(base.key()))) {
                continue;
            }
            ObjectValue value = (ObjectValue) base.value();
            for (Map.Entry<String, Value> field : set.fields().entrySet()) {
                value = value.with(field.getKey(), field.getValue());
            }
            documents.add(new Document(base.key() + text(derive, "keySuffix"), value));
        }
        return documents;
    }
}
