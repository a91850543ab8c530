package io.millrace.console;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/**
 * The types of the services' requests and responses as TypeScript, made from the schemas of their OpenAPI documents: a field
 * that a service does not have does not compile in the console.
 */
final class ApiTypes {

    /** The documents repeat their parts by aliases; they are part of the repository. */
    private static final int MOST_ALIASES = 10_000;

    private ApiTypes() {}

    /** @param path the names that lead to the schemas in the document */
    static String read(Path document, String... path) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(MOST_ALIASES);
        try (Reader text = Files.newBufferedReader(document)) {
            Object found = new Yaml(new SafeConstructor(options)).load(text);
            for (String name : path) {
                found = found instanceof Map<?, ?> map ? map.get(name) : null;
            }
            if (!(found instanceof Map<?, ?> schemas) || schemas.isEmpty()) {
                throw new IOException(document + " has no schemas at " + List.of(path));
            }
            return schemas.entrySet().stream()
                    .map(schema -> "export type %s = %s;\n".formatted(schema.getKey(), type(schema.getValue())))
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String type(@Nullable Object schema) {
        if (!(schema instanceof Map<?, ?> map)) {
            return "unknown";
        }
        if (map.get("$ref") instanceof String reference) {
            return reference.substring(reference.lastIndexOf('/') + 1);
        }
        if (map.get("enum") instanceof Collection<?> values) {
            return union(
                    values.stream().map(JsonMapper.shared()::writeValueAsString).toList());
        }
        for (String several : List.of("oneOf", "anyOf")) {
            if (map.get(several) instanceof Collection<?> schemas) {
                return union(schemas.stream().map(ApiTypes::type).toList());
            }
        }
        if (map.get("allOf") instanceof Collection<?> schemas) {
            return schemas.stream().map(ApiTypes::type).collect(Collectors.joining(" & "));
        }
        if (map.get("type") instanceof Collection<?> names) {
            return union(names.stream()
                    .map(name -> simple(String.valueOf(name), map))
                    .toList());
        }
        return map.get("type") instanceof String name ? simple(name, map) : "unknown";
    }

    private static String simple(String name, Map<?, ?> schema) {
        return switch (name) {
            case "string", "boolean", "null" -> name;
            case "integer", "number" -> "number";
            case "array" -> "(" + type(schema.get("items")) + ")[]";
            case "object" -> object(schema);
            default -> "unknown";
        };
    }

    private static String object(Map<?, ?> schema) {
        Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
        Collection<?> required = schema.get("required") instanceof Collection<?> names ? names : List.of();
        Object further = schema.get("additionalProperties");
        List<String> members = new ArrayList<>();
        List<String> types = new ArrayList<>();
        properties.forEach((name, property) -> {
            boolean always = required.contains(name);
            String type = type(property);
            members.add("%s%s: %s".formatted(JsonMapper.shared().writeValueAsString(name), always ? "" : "?", type));
            types.add(type);
        });
        if (properties.isEmpty() || (further != null && !further.equals(false))) {
            types.add(type(further));
            types.add("undefined");
            // a member of any name has to admit the types of the members that are named
            members.add("[name: string]: " + (properties.isEmpty() ? type(further) : union(types)));
        }
        return "{ " + String.join("; ", members) + " }";
    }

    private static String union(Collection<String> types) {
        return String.join(" | ", new TreeSet<>(types));
    }
}
