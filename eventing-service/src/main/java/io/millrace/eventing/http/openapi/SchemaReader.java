package io.millrace.eventing.http.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads schemas from YAML. A {@code $ref} is the name of another schema of the same file. */
final class SchemaReader {

    private static final String EXAMPLE_OF = "$example";

    private final Map<String, Map<String, Object>> schemas;

    SchemaReader(Map<String, Map<String, Object>> schemas) {
        this.schemas = schemas;
    }

    Map<String, Schema<?>> all() {
        Map<String, Schema<?>> all = new LinkedHashMap<>();
        schemas.forEach((name, json) -> all.put(name, schema(json)));
        return all;
    }

    static Schema<?> reference(String name) {
        return new JsonSchema().$ref(Components.COMPONENTS_SCHEMAS_REF + name);
    }

    private Schema<?> schema(Map<String, Object> json) {
        Schema<?> schema = new JsonSchema();
        json.forEach((keyword, value) -> read(schema, keyword, value));
        return schema;
    }

    private void read(Schema<?> schema, String keyword, Object value) {
        switch (keyword) {
            case "$ref" -> schema.$ref(Components.COMPONENTS_SCHEMAS_REF + value);
            case "type" -> schema.setTypes(Set.of((String) value));
            case "format" -> schema.setFormat((String) value);
            case "description" -> schema.setDescription((String) value);
            case "required" -> schema.setRequired(strings(value));
            case "enum" -> ((JsonSchema) schema).setEnum(List.copyOf(strings(value)));
            case "default" -> schema.setDefault(value);
            case "minLength" -> schema.setMinLength((Integer) value);
            case "maxLength" -> schema.setMaxLength((Integer) value);
            case "minimum" -> schema.setMinimum(new BigDecimal(value.toString()));
            case "items" -> schema.setItems(schema(object(value)));
            case "additionalProperties" ->
                schema.setAdditionalProperties(value instanceof Boolean ? value : schema(object(value)));
            case "properties" ->
                object(value).forEach((name, member) -> schema.addProperty(name, schema(object(member))));
            case "example" -> schema.setExample(example(value));
            default -> throw new IllegalStateException("The keyword '" + keyword + "' of a schema is not supported.");
        }
    }

    /** Replaces {@code {$example: Name}} by the example of that schema. */
    private Object example(Object value) {
        return switch (value) {
            case List<?> list -> list.stream().map(this::example).toList();
            case Map<?, ?> map
            when map.get(EXAMPLE_OF) instanceof String name ->
                Objects.requireNonNull(Objects.requireNonNull(schemas.get(name)).get("example"));
            default -> value;
        };
    }

    private static List<String> strings(Object value) {
        return ((List<?>) value).stream().map(String::valueOf).toList();
    }

    private static Map<String, Object> object(Object value) {
        return ((Map<?, ?>) value)
                .entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> String.valueOf(entry.getKey()),
                                Map.Entry::getValue,
                                (a, b) -> b,
                                LinkedHashMap::new));
    }
}
