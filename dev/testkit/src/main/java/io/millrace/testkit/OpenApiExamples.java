package io.millrace.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The examples in a service's OpenAPI document, run as Swagger UI sends them: every parameter that has an example or a
 * default is filled in.
 */
public final class OpenApiExamples implements AutoCloseable {

    private final HttpClient http = HttpClient.newHttpClient();
    private final String service;
    private final String authorization;
    private final JsonNode document;
    private final Map<String, Operation> operations = new LinkedHashMap<>();

    private record Operation(
            String method, String path, List<JsonNode> parameters, List<Body> bodies, JsonNode response) {}

    private record Body(String type, JsonNode value) {

        String text() {
            if (!type.equals("application/x-www-form-urlencoded")) {
                return value.isString() ? value.asString() : value.toString();
            }
            return value.properties().stream()
                    .map(field ->
                            field.getKey() + "=" + encoded(field.getValue().asString()))
                    .collect(Collectors.joining("&"));
        }
    }

    /** The response to one example. */
    public record Result(int status, String body) {}

    private OpenApiExamples(String service, String credentials) throws IOException, InterruptedException {
        this.service = service;
        this.authorization =
                "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        HttpRequest request =
                request().uri(URI.create(service + "/v3/api-docs")).build();
        this.document = JsonMapper.shared()
                .readTree(http.send(request, BodyHandlers.ofString()).body());
        document.path("paths")
                .forEachEntry((template, item) -> item.forEachEntry((method, operation) -> {
                    if (operation.has("operationId")) {
                        operations.put(
                                operation.get("operationId").asString(), operation(method, template, item, operation));
                    }
                }));
    }

    /**
     * Reads the document of a service at a base URL such as {@code http://127.0.0.1:8080}.
     *
     * @param credentials user and password with a colon between them
     */
    public static OpenApiExamples of(String service, String credentials) throws IOException, InterruptedException {
        return new OpenApiExamples(service, credentials);
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder().header("Authorization", authorization);
    }

    private Operation operation(String method, String path, JsonNode item, JsonNode operation) {
        List<JsonNode> parameters = Stream.concat(
                        item.path("parameters").valueStream(),
                        operation.path("parameters").valueStream())
                .map(each -> each.has("$ref")
                        ? document.at(each.get("$ref").asString().substring(1))
                        : each)
                .toList();
        List<Body> bodies = new ArrayList<>();
        operation.at("/requestBody/content").forEachEntry((type, content) -> {
            if (content.has("example")) {
                bodies.add(new Body(type, content.get("example")));
            }
            content.path("examples").forEach(example -> bodies.add(new Body(type, example.get("value"))));
        });
        JsonNode response = operation.at("/responses/200/content/application~1json/schema");
        return new Operation(method.toUpperCase(Locale.ROOT), path, parameters, bodies, response);
    }

    /** Returns the ids of all operations in the order of the document. */
    public List<String> operations() {
        return List.copyOf(operations.keySet());
    }

    /** Returns the document. */
    public JsonNode document() {
        return document;
    }

    /** Returns the HTTP method of an operation, in capitals. */
    public String method(String operation) {
        return found(operation).method();
    }

    /** Returns the schema of the JSON response of status 200. */
    public JsonNode response(String operation) {
        return found(operation).response();
    }

    /** Returns how many examples an operation has; an operation whose body has none counts as one. */
    public int examples(String operation) {
        return Math.max(1, found(operation).bodies().size());
    }

    /** Sends one example, from 0. */
    public Result run(String operation, int example) throws IOException, InterruptedException {
        Operation found = found(operation);
        return send(found, found.bodies().isEmpty() ? null : found.bodies().get(example));
    }

    private Operation found(String id) {
        Operation operation = operations.get(id);
        if (operation == null) {
            throw new IllegalArgumentException("The document has no operation '" + id + "'.");
        }
        return operation;
    }

    private Result send(Operation operation, @Nullable Body body) throws IOException, InterruptedException {
        String path = operation.path();
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        HttpRequest.Builder request = request();
        for (JsonNode parameter : operation.parameters()) {
            JsonNode value = parameter.has("example") ? parameter.get("example") : parameter.at("/schema/default");
            String name = parameter.get("name").asString();
            if (value.isMissingNode()) {
                if (parameter.path("required").asBoolean(false)) {
                    throw new AssertionError("%s %s: the required parameter %s has no example"
                            .formatted(operation.method(), operation.path(), name));
                }
                continue;
            }
            switch (parameter.get("in").asString()) {
                case "path" -> path = path.replace("{" + name + "}", segments(value.asString()));
                case "query" -> query.add(name + "=" + encoded(value.asString()));
                default -> request.header(name, value.asString());
            }
        }
        if (body != null) {
            request.header("Content-Type", body.type());
        }
        request.method(
                operation.method(), body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.text()));
        var response = http.send(request.uri(URI.create(service + path + query)).build(), BodyHandlers.ofString());
        return new Result(response.statusCode(), response.body());
    }

    private static String segments(String path) {
        return Stream.of(path.split("/", -1)).map(OpenApiExamples::encoded).collect(Collectors.joining("/"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        http.close();
    }
}
