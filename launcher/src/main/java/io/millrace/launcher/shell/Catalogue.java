package io.millrace.launcher.shell;

import io.millrace.launcher.LauncherException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The command {@code \d}: what the suite stores. */
final class Catalogue {

    private static final int SAMPLED_DOCUMENTS = 100;

    private final QueryGateway gateway;
    private final Vocabulary vocabulary;
    private final PrintWriter out;
    private final int screenWidth;

    Catalogue(QueryGateway gateway, Vocabulary vocabulary, PrintWriter out, int screenWidth) {
        this.gateway = gateway;
        this.vocabulary = vocabulary;
        this.out = out;
        this.screenWidth = screenWidth;
    }

    /** Prints all keyspaces if the name is empty, else the indexes and fields of one. */
    void print(String keyspace) {
        if (keyspace.isEmpty()) {
            keyspaces();
        } else {
            indexes(keyspace);
            out.println();
            fields(keyspace);
        }
    }

    private void keyspaces() {
        vocabulary.keyspacesChanged();
        Map<String, List<String>> indexes = new TreeMap<>();
        vocabulary.keyspaces().forEach(name -> indexes.put(name, new ArrayList<>()));
        for (JsonNode index : query("SELECT RAW i FROM system:indexes i ORDER BY i.name")) {
            indexes.computeIfAbsent(keyspaceOf(index), name -> new ArrayList<>())
                    .add(index.path("name").asString());
        }
        GridPrinter grid = grid();
        indexes.forEach((name, names) -> grid.row(row("keyspace", name, "indexes", String.join(", ", names))));
        grid.end();
        if (indexes.isEmpty()) {
            out.println("There are no keyspaces. PUT /api/v1/buckets/NAME creates one.");
        }
    }

    private void indexes(String keyspace) {
        GridPrinter grid = grid();
        boolean any = false;
        for (JsonNode index : query("SELECT RAW i FROM system:indexes i ORDER BY i.name")) {
            if (keyspaceOf(index).equals(keyspace)) {
                any = true;
                List<String> keys = new ArrayList<>();
                index.path("index_key").forEach(key -> keys.add(key.asString("")));
                String condition = index.path("condition").asString("");
                grid.row(row(
                        "index",
                        index.path("name").asString(),
                        "keys",
                        index.path("is_primary").asBoolean(false) ? "primary" : String.join(", ", keys),
                        "condition",
                        condition,
                        "state",
                        index.path("state").asString("")));
            }
        }
        grid.end();
        if (!any) {
            out.println(keyspace + " has no index. CREATE PRIMARY INDEX ON " + keyspace + " makes it scannable.");
        }
    }

    private void fields(String keyspace) {
        Map<String, Set<String>> types = new TreeMap<>();
        Map<String, Integer> found = new TreeMap<>();
        List<JsonNode> documents = query("SELECT RAW d FROM " + keyspace + " d LIMIT " + SAMPLED_DOCUMENTS);
        for (JsonNode document : documents) {
            vocabulary.learn(document);
            document.properties().forEach(field -> {
                types.computeIfAbsent(field.getKey(), name -> new TreeSet<>()).add(type(field.getValue()));
                found.merge(field.getKey(), 1, Integer::sum);
            });
        }
        GridPrinter grid = grid();
        types.forEach((name, names) -> grid.row(row(
                "field", name, "type", String.join(", ", names), "in", found.get(name) + " of " + documents.size())));
        grid.end();
        if (types.isEmpty()) {
            out.println(keyspace + " has no documents with fields.");
        }
    }

    private static String type(JsonNode value) {
        return value.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    /** Returns the keyspace of a row of system:indexes; in a default collection, {@code keyspace_id} is the bucket. */
    private static String keyspaceOf(JsonNode index) {
        String keyspace = Vocabulary.quoted(index.path("keyspace_id").asString(""));
        return index.has("bucket_id")
                ? Vocabulary.quoted(index.path("bucket_id").asString()) + "."
                        + Vocabulary.quoted(index.path("scope_id").asString("")) + "." + keyspace
                : keyspace;
    }

    private List<JsonNode> query(String statement) {
        List<JsonNode> rows = new ArrayList<>();
        Answer answer = new StatementRun(gateway).run(statement, Map.of(), rows::add);
        if (!answer.succeeded()) {
            throw new LauncherException(answer.errors().stream()
                    .findFirst()
                    .map(error -> error.path("msg").asString(""))
                    .orElse("HTTP " + answer.status()));
        }
        return rows;
    }

    private GridPrinter grid() {
        return new GridPrinter(out, GridStyle.TABLE, screenWidth);
    }

    private static JsonNode row(String... namesAndValues) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return StatementRun.MAPPER.valueToTree(row);
    }
}
