package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.subdocservice.SubdocService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the examples of the OpenAPI document as Swagger UI sends them: every parameter that has an example is filled in. */
@SpringBootTest(
        classes = SubdocService.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "millrace.kv.port=0")
@AutoConfigureWebTestClient(timeout = "60s")
@Import(OpenApiTest.Memory.class)
class OpenApiExamplesTest {

    /** Moves need a second Redis, and an active request needs a running statement: other tests cover them. */
    private static final Set<String> NEED_MORE =
            Set.of("beginMove", "getMove", "endMove", "getActiveRequest", "cancelActiveRequest");

    @Autowired
    WebTestClient client;

    private JsonNode api = JsonMapper.shared().createObjectNode();

    private record Example(MediaType type, JsonNode value) {}

    @Test
    void examples_answer2xxWhenRunAsTheyAre() {
        byte[] text = client.get()
                .uri("/v3/api-docs")
                .exchange()
                .expectBody()
                .returnResult()
                .getResponseBody();
        api = JsonMapper.shared().readTree(Objects.requireNonNull(text));
        Map<String, Integer> statuses = new TreeMap<>();

        api.get("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    if (method.equals("parameters")
                            || NEED_MORE.contains(operation.get("operationId").asString())) {
                        return;
                    }
                    List<JsonNode> parameters = Stream.concat(
                                    item.path("parameters").valueStream(),
                                    operation.path("parameters").valueStream())
                            .map(this::resolved)
                            .toList();
                    List<Example> bodies = bodies(operation);
                    for (int n = 0; n < Math.max(1, bodies.size()); n++) {
                        prepare(operation.get("operationId").asString());
                        int status = run(method, path, parameters, bodies.isEmpty() ? null : bodies.get(n));
                        statuses.put(operation.get("operationId").asString() + " " + n, status);
                    }
                }));

        assertThat(statuses)
                .hasSizeGreaterThan(45)
                .allSatisfy((example, status) -> assertThat(status).as(example).isBetween(200, 299));
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? api.at(node.get("$ref").asString().substring(1)) : node;
    }

    private static List<Example> bodies(JsonNode operation) {
        List<Example> bodies = new ArrayList<>();
        operation.at("/requestBody/content").forEachEntry((type, content) -> {
            if (content.has("example")) {
                bodies.add(new Example(MediaType.parseMediaType(type), content.get("example")));
            }
            content.path("examples")
                    .forEach(example -> bodies.add(new Example(MediaType.parseMediaType(type), example.get("value"))));
        });
        return bodies;
    }

    /** Creates what the examples use; a document that an example inserts does not exist. */
    private void prepare(String operation) {
        String bucket = "/api/v1/buckets/" + parameter("bucket");
        String scope = bucket + "/scopes/" + parameter("scope");
        String collection = scope + "/collections/" + parameter("collection");
        client.delete().uri(bucket).exchange();
        Stream.of(bucket, scope, collection)
                .forEach(
                        path -> client.put().uri(path).exchange().expectStatus().isCreated());
        if (operation.startsWith("insert")) {
            return;
        }
        JsonNode document = api.at("/paths/~1api~1v1~1buckets~1{bucket}~1docs~1{id}/put/requestBody/content")
                .get("application/json")
                .get("example");
        Stream.of(bucket, collection)
                .forEach(path -> client.put()
                        .uri(path + "/docs/" + parameter("id"))
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(document.toString())
                        .exchange()
                        .expectStatus()
                        .isCreated());
    }

    private String parameter(String name) {
        return api.at("/components/parameters/" + name + "/example").asString();
    }

    private int run(String method, String path, List<JsonNode> parameters, @Nullable Example body) {
        Map<String, String> variables = new TreeMap<>();
        Map<String, String> headers = new TreeMap<>();
        StringBuilder uri = new StringBuilder(path);
        for (JsonNode parameter : parameters) {
            JsonNode value = parameter.has("example") ? parameter.get("example") : parameter.at("/schema/default");
            String name = parameter.get("name").asString();
            if (value.isMissingNode()) {
                assertThat(parameter.path("required").asBoolean(false)).as(name).isFalse();
                continue;
            }
            switch (parameter.get("in").asString()) {
                case "path" -> variables.put(name, value.asString());
                case "query" -> {
                    uri.append(uri.indexOf("?") < 0 ? '?' : '&')
                            .append(name)
                            .append("={")
                            .append(name)
                            .append('}');
                    variables.put(name, value.asString());
                }
                default -> headers.put(name, value.asString());
            }
        }
        var request = client.method(HttpMethod.valueOf(method.toUpperCase(Locale.ROOT)))
                .uri(uri.toString(), variables)
                .headers(sent -> headers.forEach(sent::set))
                .headers(sent -> sent.setBasicAuth("Administrator", "password")); // without it a form is refused
        if (body == null) {
            return request.exchange().returnResult().getStatus().value();
        }
        return request.contentType(body.type())
                .body(
                        body.type().equals(MediaType.APPLICATION_FORM_URLENCODED)
                                ? BodyInserters.fromFormData(form(body.value()))
                                : BodyInserters.fromValue(text(body.value()).getBytes(StandardCharsets.UTF_8)))
                .exchange()
                .returnResult()
                .getStatus()
                .value();
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.asString() : value.toString();
    }

    private static LinkedMultiValueMap<String, String> form(JsonNode fields) {
        LinkedMultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        fields.forEachEntry((name, value) -> form.add(name, value.asString()));
        return form;
    }
}
