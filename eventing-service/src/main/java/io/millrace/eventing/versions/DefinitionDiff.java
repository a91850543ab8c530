package io.millrace.eventing.versions;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DefinitionWriter.Secrets;
import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.definition.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The differences between two definitions of a function: code, bindings and settings. Ids and the lifecycle are no part of
 * it, and no secret is shown.
 */
public final class DefinitionDiff {

    private static final int CONTEXT_LINES = 3;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final FunctionDefinition before;
    private final FunctionDefinition after;

    public DefinitionDiff(FunctionDefinition before, FunctionDefinition after) {
        this.before = before;
        this.after = after;
    }

    /** Returns whether saving the second definition over the first would change nothing. */
    public boolean none() {
        return before.code().equals(after.code())
                && before.deployment().equals(after.deployment())
                && before.settings().equals(after.settings())
                && before.enforceSchema() == after.enforceSchema();
    }

    /** Returns which parts differ: {@code code}, {@code bindings}, {@code settings}. */
    public List<String> parts() {
        List<String> parts = new ArrayList<>();
        if (!before.code().equals(after.code())) {
            parts.add("code");
        }
        if (!before.deployment().equals(after.deployment())) {
            parts.add("bindings");
        }
        if (!before.settings().equals(after.settings()) || before.enforceSchema() != after.enforceSchema()) {
            parts.add("settings");
        }
        return parts;
    }

    /** Returns the differences as JSON: the code as a unified diff, bindings and settings before and after. */
    public ObjectNode json(String from, String to) {
        ObjectNode json = NODES.objectNode();
        ArrayNode changed = json.putArray("changed");
        parts().forEach(changed::add);
        json.put("code", code(from, to));
        json.set("bindings", bindings());
        json.set("settings", settings());
        return json;
    }

    /** Returns the differences as text: a unified diff of the code, then one of bindings and settings as JSON. */
    public String text(String from, String to) {
        return code(from, to)
                + unified("function.json", from, to, pretty(before, Secrets.MASKED), pretty(after, Secrets.MASKED))
                + changedSecrets();
    }

    private String code(String from, String to) {
        String file = after.settings().typescript() ? "handler.ts" : "handler.js";
        return unified(file, from, to, before.code(), after.code());
    }

    private static String unified(String file, String from, String to, String old, String other) {
        List<String> first = old.lines().toList();
        List<String> lines = UnifiedDiffUtils.generateUnifiedDiff(
                file + "\t" + from,
                file + "\t" + to,
                first,
                DiffUtils.diff(first, other.lines().toList()),
                CONTEXT_LINES);
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    private static String pretty(FunctionDefinition definition, Secrets secrets) {
        ObjectNode json = NODES.objectNode();
        json.set("depcfg", DefinitionWriter.deployment(definition.deployment(), secrets));
        json.set("settings", settings(definition));
        return json.toPrettyString();
    }

    /** Names the bindings whose password or key differs, which a diff of masked definitions does not show. */
    private String changedSecrets() {
        StringBuilder text = new StringBuilder();
        for (JsonNode row : bindings()) {
            if (row.path("before").equals(row.path("after"))) {
                text.append("# the password or key of ")
                        .append(row.path("binding").asString())
                        .append(" differs\n");
            }
        }
        return text.toString();
    }

    private ArrayNode bindings() {
        ObjectNode old = byName(before.deployment(), Secrets.NAMED);
        ObjectNode other = byName(after.deployment(), Secrets.NAMED);
        ObjectNode oldShown = byName(before.deployment(), Secrets.MASKED);
        ObjectNode otherShown = byName(after.deployment(), Secrets.MASKED);
        ArrayNode rows = NODES.arrayNode();
        for (String name : names(old, other)) {
            if (!old.path(name).equals(other.path(name))) {
                row(rows.addObject().put("binding", name), oldShown.get(name), otherShown.get(name));
            }
        }
        return rows;
    }

    /** Returns keyspaces and bindings by names such as {@code source} and {@code buckets/alias}. */
    private static ObjectNode byName(DeploymentConfig deployment, Secrets secrets) {
        ObjectNode json = DefinitionWriter.deployment(deployment, secrets);
        ObjectNode rows = NODES.objectNode();
        for (String keyspace : new String[] {"source", "metadata"}) {
            rows.put(
                    keyspace,
                    String.join(
                            ".",
                            json.path(keyspace + "_bucket").asString(),
                            json.path(keyspace + "_scope").asString(),
                            json.path(keyspace + "_collection").asString()));
        }
        json.path("buckets")
                .forEach(binding -> rows.set("buckets/" + binding.path("alias").asString(), binding));
        json.path("curl")
                .forEach(binding -> rows.set("curl/" + binding.path("value").asString(), binding));
        json.path("sql")
                .forEach(binding -> rows.set("sql/" + binding.path("value").asString(), binding));
        json.path("topics")
                .forEach(binding -> rows.set("topics/" + binding.path("value").asString(), binding));
        json.path("constants")
                .forEach(
                        binding -> rows.set("constants/" + binding.path("value").asString(), binding));
        return rows;
    }

    private ArrayNode settings() {
        ObjectNode old = settings(before);
        ObjectNode other = settings(after);
        ArrayNode rows = NODES.arrayNode();
        for (String name : names(old, other)) {
            if (!old.path(name).equals(other.path(name))) {
                row(rows.addObject().put("setting", name), old.get(name), other.get(name));
            }
        }
        return rows;
    }

    private static ObjectNode settings(FunctionDefinition definition) {
        ObjectNode json = DefinitionWriter.settings(definition.settings(), LifecycleFlags.UNDEPLOY);
        json.remove(List.of(Settings.DEPLOYMENT_STATUS, Settings.PROCESSING_STATUS));
        return definition.enforceSchema() ? json.put("enforce_schema", true) : json;
    }

    private static Set<String> names(ObjectNode one, ObjectNode other) {
        Set<String> names = new TreeSet<>();
        one.properties().stream().map(Map.Entry::getKey).forEach(names::add);
        other.properties().stream().map(Map.Entry::getKey).forEach(names::add);
        return names;
    }

    private static void row(ObjectNode row, @Nullable JsonNode before, @Nullable JsonNode after) {
        if (before != null) {
            row.set("before", before);
        }
        if (after != null) {
            row.set("after", after);
        }
    }
}
