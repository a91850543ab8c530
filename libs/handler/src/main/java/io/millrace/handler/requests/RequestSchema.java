package io.millrace.handler.requests;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The requests that a function takes: its setting {@code openapi}, with {@code paths} and {@code components} as in OpenAPI 3.1.
 * Knows paths, parameters in path, query and header, and JSON bodies. Immutable.
 */
public final class RequestSchema {

    /** The longest setting in characters. */
    public static final int MAX_CHARS = 65_536;

    /** The most steps of one comparison: a keyword of a schema that is applied to a value is one, a mistake is ten. */
    static final int MAX_STEPS = 2_000_000;

    /** How deep a comparison may go, in keywords and properties. */
    static final int MAX_DEPTH = 2_000;

    /** After so many mistakes a comparison ends. */
    static final int MAX_MISTAKES = 10;

    /** The longest mistake in characters; longer ones are cut. */
    static final int MAX_MISTAKE_CHARS = 300;

    private static final int STEPS_PER_MISTAKE = 10;

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete", "options");
    private static final List<String> PLACES = List.of("path", "query", "header");
    private static final String JSON_TYPE = "application/json";

    /** Regular expressions of functions could keep the service busy without end; other documents are not fetched. */
    private static final List<String> REFUSED =
            List.of("pattern", "patternProperties", "$id", "$dynamicRef", "$schema");

    /**
     * What is compared.
     *
     * @param method in upper case; of a HEAD it is GET
     * @param segments what is between the slashes of the path, decoded; one empty segment for the path that is only a slash
     */
    public record Request(
            String method,
            List<String> segments,
            Map<String, ? extends List<? extends @Nullable String>> query,
            Function<String, @Nullable String> header,
            @Nullable String contentType,
            byte[] body) {}

    /** @param types media types, and ranges of them such as {@code image/*} */
    private record Content(
            boolean required, List<String> types, @Nullable Schema json) {

        boolean takes(String type) {
            return types.stream()
                    .anyMatch(range -> range.equals(type)
                            || range.equals("*/*")
                            || range.endsWith("/*") && type.startsWith(range.substring(0, range.length() - 1)));
        }
    }

    private record Operation(
            List<Parameter> parameters, @Nullable Content content) {}

    private record Path(PathTemplate template, Map<String, Operation> operations) {}

    private final JsonNode components;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final List<Path> paths = new ArrayList<>();

    private RequestSchema(JsonNode setting) {
        this.components = setting.path("components");
        setting.path("paths").properties().forEach(path -> paths.add(path(path.getKey(), path.getValue())));
        paths.sort(Comparator.comparing(Path::template, PathTemplate.MOST_CONCRETE));
    }

    /** Reads the setting; fails with {@link UnusableSchema}, which names what is wrong. */
    public static RequestSchema of(JsonNode setting) {
        refuse(setting, setting);
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

    /** Refuses what would reach out of the setting or nowhere, or could run without end. */
    private static void refuse(JsonNode setting, JsonNode node) {
        node.properties().forEach(member -> {
            String name = member.getKey();
            boolean value = member.getValue().isString() || name.equals("patternProperties");
            if (REFUSED.contains(name) && value) {
                throw invalid("%s is not supported".formatted(name));
            }
            if (name.equals("$ref")) {
                refuse(setting, member.getValue().asString(""));
            }
        });
        node.forEach(child -> refuse(setting, child));
    }

    private static void refuse(JsonNode setting, String reference) {
        if (!reference.startsWith("#/components/")) {
            throw invalid("$ref must begin with #/components/");
        }
        if (setting.at(reference.substring(1)).isMissingNode()) {
            throw invalid("there is no %s, which a $ref names".formatted(reference));
        }
    }

    private static UnusableSchema invalid(String why) {
        return new UnusableSchema(why);
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
        return new Path(PathTemplate.of(template), operations);
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
        Map<String, JsonNode> types = new LinkedHashMap<>();
        content.properties().forEach(type -> types.put(mediaType(type.getKey()), type.getValue()));
        JsonNode json = types.getOrDefault(JSON_TYPE, NODES.missingNode()).path("schema");
        return new Operation(
                List.copyOf(parameters.values()),
                new Content(
                        body.path("required").asBoolean(false),
                        List.copyOf(types.keySet()),
                        json.isMissingNode() ? null : schema(where, json)));
    }

    /** Returns a media type or a range of them without parameters. */
    private static String mediaType(String text) {
        return text.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
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
        return Parameter.of(given, resolved(schema), schema.isMissingNode() ? null : schema(where, schema));
    }

    private Schema schema(String where, JsonNode schema) {
        if (!(schema instanceof ObjectNode object)) {
            throw invalid("a schema of %s is not an object".formatted(where));
        }
        ObjectNode whole = object.deepCopy();
        if (components.isObject()) {
            whole.set("components", components);
        }
        Schema read;
        try {
            read = registry.getSchema(whole);
            read.initializeValidators(); // also those behind references: else the first request would find what is
            // wrong
        } catch (RuntimeException e) { // the library has no common type for what can be wrong
            throw invalid("a schema of %s: %s".formatted(where, e.getMessage()));
        }
        if (new Comparison().endsEarly(read, NODES.nullNode())) {
            throw invalid(
                    "a schema of %s refers to itself for the same value, or too often to others".formatted(where));
        }
        return read;
    }

    /** Compares a request with what the function takes. */
    public Verdict check(Request request) {
        for (Path path : paths) {
            Optional<Map<String, String>> names = path.template().values(request.segments());
            if (names.isPresent()) {
                return check(request, path, names.get());
            }
        }
        return new Verdict.NoPath();
    }

    private static Verdict check(Request request, Path path, Map<String, String> names) {
        Operation operation = path.operations().get(request.method());
        if (operation == null) {
            return new Verdict.NoMethod(List.copyOf(path.operations().keySet()));
        }
        List<String> mistakes = new ArrayList<>();
        for (Parameter parameter : operation.parameters()) {
            check(parameter, parameter.texts(request, names), mistakes);
        }
        Content content = operation.content();
        if (content != null) {
            check(content, request, mistakes);
        }
        return mistakes.isEmpty() ? new Verdict.Fits() : new Verdict.Wrong(mistakes);
    }

    private static void check(Parameter parameter, List<String> texts, List<String> mistakes) {
        String what = parameter.words();
        if (texts.isEmpty()) {
            if (parameter.required()) {
                mistakes.add(what + " is missing");
            }
        } else if (!parameter.array() && texts.size() > 1) {
            mistakes.add(what + " has several values");
        } else if (parameter.schema() != null) {
            Schema schema = parameter.schema();
            if (!mistakes(what, schema, parameter.asStrings(texts)).isEmpty()) {
                mistakes.addAll(mistakes(what, schema, parameter.asScalars(texts)));
            }
        }
    }

    private static void check(Content content, Request request, List<String> mistakes) {
        if (request.body().length == 0) {
            if (content.required()) {
                mistakes.add("the body is missing");
            }
            return;
        }
        String type = mediaType(String.valueOf(request.contentType()));
        if (!content.takes(type)) {
            mistakes.add("the Content-Type of the body is %s; expected %s".formatted(type, content.types()));
        } else if (content.json() != null && type.equals(JSON_TYPE)) {
            mistakes.addAll(mistakes("the body", content.json(), JSON.readTree(request.body())));
        }
    }

    private static List<String> mistakes(String what, Schema schema, JsonNode value) {
        Comparison comparison = new Comparison();
        return comparison.endsEarly(schema, value)
                ? List.of("%s takes more than %d steps or %d levels to compare; send less at a time"
                        .formatted(what, MAX_STEPS, MAX_DEPTH))
                : comparison.found.stream()
                        .limit(MAX_MISTAKES)
                        .map(error -> words(what, error))
                        .toList();
    }

    private static String words(String what, Error error) {
        String place = String.valueOf(error.getInstanceLocation());
        String words = place.isEmpty()
                ? what + ": " + error.getMessage()
                : "%s at %s: %s".formatted(what, place, error.getMessage());
        return words.length() <= MAX_MISTAKE_CHARS ? words : words.substring(0, MAX_MISTAKE_CHARS) + "...";
    }

    /**
     * Compares one value with one schema. It counts what the validator does: a few lines of a schema can take time without end by
     * references, and a small body can have more mistakes than fit into an answer.
     */
    private static final class Comparison extends ExecutionContext {

        private static final class End extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private End() {
                super(null, null, false, false);
            }
        }

        /** What is wrong with the value itself; what alternatives of it find wrong goes to other lists. */
        private final List<Error> found = getErrors();

        private int steps;
        private int depth;

        /** Returns whether there was no result within the limits. */
        private boolean endsEarly(Schema schema, JsonNode value) {
            try {
                schema.validate(this, value);
                return false;
            } catch (End end) {
                return found.size() < MAX_MISTAKES;
            }
        }

        @Override
        public void evaluationPathAddLast(String token) {
            count(1);
            depth++;
            super.evaluationPathAddLast(token);
        }

        @Override
        public void evaluationPathAddLast(int token) {
            count(1);
            depth++;
            super.evaluationPathAddLast(token);
        }

        @Override
        public void evaluationPathRemoveLast() {
            depth--;
            super.evaluationPathRemoveLast();
        }

        @Override
        public void addError(Error error) {
            count(STEPS_PER_MISTAKE);
            super.addError(error);
        }

        private void count(int more) {
            steps += more;
            if (steps > MAX_STEPS || depth >= MAX_DEPTH || found.size() >= MAX_MISTAKES) {
                throw new End();
            }
        }
    }
}
