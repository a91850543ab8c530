package io.millrace.handler.requests;

import com.networknt.schema.Schema;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A parameter of an operation. Values that are objects are not compared.
 *
 * @param array whether its value is an array
 * @param separator what separates the elements of an array in one text; null if each is a text of its own
 */
record Parameter(
        String in,
        String name,
        boolean required,
        boolean array,
        @Nullable String separator,
        @Nullable Schema schema) {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /**
     * @param given as the setting has it
     * @param type the schema of its value, without a reference
     */
    static Parameter of(JsonNode given, JsonNode type, @Nullable Schema schema) {
        String in = given.path("in").asString("");
        boolean query = in.equals("query");
        boolean object = is(type, "object"); // has too many forms, some of them without its name
        boolean wanted = given.path("required").asBoolean(false) && !(object && query);
        return new Parameter(
                in,
                given.path("name").asString(""),
                wanted || in.equals("path"),
                is(type, "array"),
                query ? separatorInQuery(given) : ",",
                object ? null : schema);
    }

    private static boolean is(JsonNode schema, String name) {
        JsonNode type = schema.path("type");
        return type.asString("").equals(name)
                || type.valueStream().anyMatch(one -> one.asString("").equals(name));
    }

    /** By style and explode, with the defaults of OpenAPI. */
    private static @Nullable String separatorInQuery(JsonNode given) {
        String style = given.path("style").asString("form");
        if (given.path("explode").asBoolean(style.equals("form"))) {
            return null;
        }
        return switch (style) {
            case "spaceDelimited" -> " ";
            case "pipeDelimited" -> "|";
            default -> ",";
        };
    }

    String words() {
        return "the %s parameter %s".formatted(in, name);
    }

    /** Returns the texts that a request has for it; of an array each is an element. */
    List<String> texts(RequestSchema.Request request, Map<String, String> path) {
        List<String> texts = switch (in) {
            case "path" -> Optional.ofNullable(path.get(name)).stream().toList();
            case "query" ->
                Optional.ofNullable(request.query().get(name)).stream()
                        .flatMap(Collection::stream)
                        .map(value -> value == null ? "" : value)
                        .toList();
            default ->
                Optional.ofNullable(request.header().apply(name)).stream().toList();
        };
        return array && separator != null && texts.size() == 1 ? elements(texts.getFirst(), separator) : texts;
    }

    private List<String> elements(String text, String between) {
        return Arrays.stream(text.split(Pattern.quote(between), -1))
                .map(element -> in.equals("header") ? element.strip() : element)
                .toList();
    }

    /** Returns the value that the texts are, if each is a string. */
    JsonNode asStrings(List<String> texts) {
        return value(texts, NODES::stringNode);
    }

    /** Returns the value that the texts are, if each that is a number or boolean counts as one. */
    JsonNode asScalars(List<String> texts) {
        return value(texts, Parameter::scalar);
    }

    private JsonNode value(List<String> texts, Function<String, JsonNode> read) {
        if (!array) {
            return read.apply(texts.getFirst());
        }
        ArrayNode all = NODES.arrayNode();
        texts.forEach(text -> all.add(read.apply(text)));
        return all;
    }

    private static JsonNode scalar(String text) {
        try {
            JsonNode parsed = JsonMapper.shared().readTree(text);
            return parsed.isNumber() || parsed.isBoolean() ? parsed : NODES.stringNode(text);
        } catch (JacksonException e) {
            return NODES.stringNode(text);
        }
    }
}
