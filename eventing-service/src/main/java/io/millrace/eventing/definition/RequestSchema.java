package io.millrace.eventing.definition;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The requests that a function takes: its setting {@code openapi}, with {@code paths} and {@code components} as in OpenAPI 3.1.
 * Knows paths, parameters in path, query and header, and JSON bodies. Immutable.
 */
public final class RequestSchema {

    /** The longest setting in characters. */
    static final int MAX_CHARS = 65_536;

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete", "options");
    private static final List<String> PLACES = List.of("path", "query", "header");
    private static final String JSON_TYPE = "application/json";

    /** Regular expressions of functions could keep the service busy without end; other documents are not fetched. */
    private static final List<String> REFUSED =
            List.of("pattern", "patternProperties", "$id", "$dynamicRef", "$schema");

    /** What a request is compared with. */
    public record Request(
            String method,
            String path,
            Map<String, ? extends List<? extends @Nullable String>> query,
            Function<String, @Nullable String> header,
            @Nullable String contentType,
            byte[] body) {}

    /** What a comparison has shown. */
    public sealed interface Verdict {

        record Fits() implements Verdict {}

        /** No path fits. */
        record NoPath() implements Verdict {}

        /** @param allowed the methods of the path */
        record NoMethod(List<String> allowed) implements Verdict {}

        /** @param mistakes in words */
        record Wrong(List<String> mistakes) implements Verdict {}
    }

    private record Parameter(
            String in,
            String name,
            boolean required,
            boolean array,
            @Nullable Schema schema) {}

    private record Content(
            boolean required, List<String> types, @Nullable Schema json) {}

    private record Operation(
            List<Parameter> parameters, @Nullable Content content) {}

    private record Path(List<String> segments, Map<String, Operation> operations) {

        boolean fits(List<String> given) {
            if (given.size() != segments.size()) {
                return false;
            }
            for (int i = 0; i < given.size(); i++) {
                if (!isName(segments.get(i)) && !segments.get(i).equals(given.get(i))) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isName(String segment) {
            return segment.startsWith("{") && segment.endsWith("}");
        }

        private long names() {
            return segments.stream().filter(Path::isName).count();
        }

        Optional<String> value(String name, List<String> given) {
            int place = segments.indexOf('{' + name + '}');
            return place < 0 ? Optional.empty() : Optional.of(given.get(place));
        }
    }

    private final JsonNode components;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final List<Path> paths = new ArrayList<>();

    private RequestSchema(JsonNode setting) {
        this.components = setting.path("components");
        setting.path("paths").properties().forEach(path -> paths.add(path(path.getKey(), path.getValue())));
        paths.sort(Comparator.comparingLong(Path::names)); // the most concrete first, as OpenAPI has it
    }

    /** Reads the setting; fails with ERR_INVALID_CONFIG naming what is wrong. */
    public static RequestSchema of(JsonNode setting) {
        refuse(setting);
        if (!setting.path("paths").isObject()) {
            throw invalid("it must have the member paths, an object");
        }
        for (String member : setting.propertyNames()) {
            if (!member.equals("paths") && !member.equals("components")) {
                throw invalid("the member %s is not known; expected paths and components".formatted(member));
            }
        }
        return new RequestSchema(setting);
    }

    /** Refuses what would reach out of the setting, or could run without end. */
    private static void refuse(JsonNode node) {
        node.properties().forEach(member -> {
            String name = member.getKey();
            boolean value = member.getValue().isString() || name.equals("patternProperties");
            if (REFUSED.contains(name) && value) {
                throw invalid("%s is not supported".formatted(name));
            }
            if (name.equals("$ref") && !member.getValue().asString("").startsWith("#/components/")) {
                throw invalid("$ref must begin with #/components/");
            }
        });
        node.forEach(RequestSchema::refuse);
    }

    private static FunctionsException invalid(String why) {
        return FunctionsException.invalidConfig("Setting 'openapi' cannot be used: %s.".formatted(why));
    }

    private Path path(String template, JsonNode item) {
        if (!template.startsWith("/") || !item.isObject()) {
            throw invalid("the path %s must begin with a slash and be an object".formatted(template));
        }
        Map<String, Operation> operations = new TreeMap<>();
        for (String method : METHODS) {
            if (item.has(method)) {
                String where = method.toUpperCase(Locale.ROOT) + " " + template;
                operations.put(method.toUpperCase(Locale.ROOT), operation(where, item, item.path(method)));
            }
        }
        if (operations.isEmpty()) {
            throw invalid("the path %s has no method; expected one of %s".formatted(template, METHODS));
        }
        return new Path(segments(template), operations);
    }

    private Operation operation(String where, JsonNode item, JsonNode operation) {
        Map<String, Parameter> parameters = new TreeMap<>();
        Stream.concat(
                        item.path("parameters").valueStream(),
                        operation.path("parameters").valueStream())
                .map(given -> parameter(where, resolved(given)))
                .forEach(parameter -> parameters.put(parameter.in() + ' ' + parameter.name(), parameter));
        JsonNode body = resolved(operation.path("requestBody"));
        if (body.isMissingNode()) {
            return new Operation(List.copyOf(parameters.values()), null);
        }
        JsonNode content = body.path("content");
        if (content.isEmpty()) {
            throw invalid("the requestBody of %s has no content".formatted(where));
        }
        JsonNode json = content.path(JSON_TYPE).path("schema");
        return new Operation(
                List.copyOf(parameters.values()),
                new Content(
                        body.path("required").asBoolean(false),
                        List.copyOf(content.propertyNames()),
                        json.isMissingNode() ? null : schema(where, json)));
    }

    private JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asString("");
        return reference.isEmpty() ? node : components.at(reference.substring("#/components".length()));
    }

    private Parameter parameter(String where, JsonNode given) {
        String in = given.path("in").asString("");
        String name = given.path("name").asString("");
        if (!PLACES.contains(in) || name.isEmpty()) {
            throw invalid("a parameter of %s must have a name and be in one of %s".formatted(where, PLACES));
        }
        JsonNode schema = given.path("schema");
        boolean array = resolved(schema).path("type").asString("").equals("array");
        return new Parameter(
                in,
                name,
                in.equals("path") || given.path("required").asBoolean(false),
                array,
                schema.isMissingNode() ? null : schema(where, schema));
    }

    private Schema schema(String where, JsonNode schema) {
        if (!(schema instanceof ObjectNode object)) {
            throw invalid("a schema of %s is not an object".formatted(where));
        }
        ObjectNode whole = object.deepCopy();
        if (components.isObject()) {
            whole.set("components", components);
        }
        try {
            Schema read = registry.getSchema(whole);
            read.validate(NODES.nullNode()); // resolves its references
            return read;
        } catch (RuntimeException e) { // the library has no common type for what can be wrong
            throw invalid("a schema of %s: %s".formatted(where, e.getMessage()));
        }
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/", -1)).skip(1).toList();
    }

    /** Compares a request with what the function takes. A HEAD is a GET. */
    public Verdict check(Request request) {
        List<String> given = segments(request.path());
        Path path = paths.stream().filter(one -> one.fits(given)).findFirst().orElse(null);
        if (path == null) {
            return new Verdict.NoPath();
        }
        Operation operation = path.operations().get(request.method());
        if (operation == null) {
            return new Verdict.NoMethod(List.copyOf(path.operations().keySet()));
        }
        List<String> mistakes = new ArrayList<>();
        for (Parameter parameter : operation.parameters()) {
            check(parameter, values(parameter, request, path, given), mistakes);
        }
        Content content = operation.content();
        if (content != null) {
            check(content, request, mistakes);
        }
        return mistakes.isEmpty() ? new Verdict.Fits() : new Verdict.Wrong(mistakes);
    }

    private static List<String> values(Parameter parameter, Request request, Path path, List<String> given) {
        return switch (parameter.in()) {
            case "path" -> path.value(parameter.name(), given).stream().toList();
            case "query" ->
                Optional.ofNullable(request.query().get(parameter.name())).stream()
                        .flatMap(Collection::stream)
                        .map(value -> value == null ? "" : value)
                        .toList();
            default ->
                Optional.ofNullable(request.header().apply(parameter.name())).stream()
                        .toList();
        };
    }

    private static void check(Parameter parameter, List<String> values, List<String> mistakes) {
        String what = "the %s parameter %s".formatted(parameter.in(), parameter.name());
        if (values.isEmpty()) {
            if (parameter.required()) {
                mistakes.add(what + " is missing");
            }
        } else if (!parameter.array() && values.size() > 1) {
            mistakes.add(what + " has several values");
        } else if (parameter.schema() != null) {
            List<Error> asText = parameter.schema().validate(value(parameter, values, NODES::stringNode));
            JsonNode parsed = value(parameter, values, RequestSchema::scalar);
            if (!asText.isEmpty()) {
                parameter.schema().validate(parsed).forEach(error -> mistakes.add(words(what, error)));
            }
        }
    }

    private static JsonNode value(Parameter parameter, List<String> values, Function<String, JsonNode> read) {
        if (!parameter.array()) {
            return read.apply(values.getFirst());
        }
        ArrayNode all = NODES.arrayNode();
        values.forEach(value -> all.add(read.apply(value)));
        return all;
    }

    /** Returns the number or boolean that a text is, or the text. */
    private static JsonNode scalar(String text) {
        try {
            JsonNode parsed = JSON.readTree(text);
            return parsed.isNumber() || parsed.isBoolean() ? parsed : NODES.stringNode(text);
        } catch (JacksonException e) {
            return NODES.stringNode(text);
        }
    }

    private static void check(Content content, Request request, List<String> mistakes) {
        if (request.body().length == 0) {
            if (content.required()) {
                mistakes.add("the body is missing");
            }
            return;
        }
        String type =
                String.valueOf(request.contentType()).split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (content.types().stream().noneMatch(type::equals)) {
            mistakes.add("the Content-Type of the body is %s; expected %s".formatted(type, content.types()));
        } else if (content.json() != null && type.equals(JSON_TYPE)) {
            content.json()
                    .validate(JSON.readTree(request.body()))
                    .forEach(error -> mistakes.add(words("the body", error)));
        }
    }

    private static String words(String what, Error error) {
        String place = String.valueOf(error.getInstanceLocation());
        return place.isEmpty()
                ? what + ": " + error.getMessage()
                : "%s at %s: %s".formatted(what, place, error.getMessage());
    }
}
