package io.millrace.subdocservice.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.MemoryDocumentStore;
import io.millrace.subdocservice.SubdocService;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as a whole, on a store in memory: what it says of itself. */
@SpringBootTest(
        classes = SubdocService.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "millrace.kv.port=0")
@AutoConfigureWebTestClient(timeout = "60s")
@Import(OpenApiTest.Memory.class)
class OpenApiTest {

    @TestConfiguration(proxyBeanMethods = false)
    static class Memory {

        @Bean
        @Primary
        DocumentStore memory() {
            return new MemoryDocumentStore(InstantSource.system());
        }
    }

    @Autowired
    WebTestClient client;

    @Autowired
    Routes routes;

    private JsonNode description() {
        return JsonMapper.shared().readTree(body("/v3/api-docs"));
    }

    private byte[] body(String path) {
        var answer = client.get().uri(path).exchange().expectStatus().isOk().expectBody();
        return Objects.requireNonNull(answer.returnResult().getResponseBody());
    }

    @Test
    void description_hasEveryRoute() {
        var described = new TreeSet<String>();
        JsonNode paths = description().get("paths");
        for (String path : paths.propertyNames()) {
            for (String method : paths.get(path).propertyNames()) {
                described.add(method.toUpperCase(Locale.ROOT) + " " + path);
            }
        }

        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(routes.all().stream()
                        .map(route -> route.method() + " " + route.pattern())
                        .toList())
                .hasSize(37);
    }

    @Test
    void description_ofEachRouteIsUseful() {
        JsonNode api = description();
        List<String> ids = new ArrayList<>();
        for (Route route : routes.all()) {
            JsonNode operation = api.get("paths")
                    .get(route.pattern())
                    .get(route.method().name().toLowerCase(Locale.ROOT));
            ids.add(operation.get("operationId").asString());
            assertThat(operation.get("summary").asString()).isNotBlank();
            assertThat(operation.get("responses").propertyNames()).anyMatch(status -> status.startsWith("2"));
            assertThat(operation.get("responses").propertyNames()).contains("503");
            List<String> variables = new ArrayList<>();
            operation.path("parameters").forEach(parameter -> {
                JsonNode shared = api.at(parameter.get("$ref").asString().substring(1));
                if (shared.get("in").asString().equals("path")) {
                    variables.add("{" + shared.get("name").asString() + "}");
                }
                assertThat(shared.get("schema").get("type").asString()).isEqualTo("string");
            });
            assertThat(variables).containsExactlyElementsOf(variables(route.pattern()));
        }
        assertThat(ids).doesNotHaveDuplicates();
    }

    private static List<String> variables(String pattern) {
        return List.of(pattern.split("/")).stream()
                .filter(part -> part.startsWith("{"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lookup-in", "mutate-in"})
    void description_examplesAreRequestsThatMakeSense(String endpoint) {
        client.put().uri("/api/v1/buckets/examples").exchange();
        JsonNode examples = description()
                .at("/paths/~1api~1v1~1buckets~1{bucket}~1docs~1{id}~1" + endpoint
                        + "/post/requestBody/content/application~1json/examples");

        assertThat(examples.size()).isGreaterThan(2);
        for (JsonNode example : examples) {
            byte[] answer = client.post()
                    .uri("/api/v1/buckets/examples/docs/a/" + endpoint)
                    .contentType(MediaType.APPLICATION_JSON)
                    .bodyValue(example.get("value").toString())
                    .exchange()
                    .expectBody()
                    .returnResult()
                    .getResponseBody();
            // what they name is not there; what they ask for is understood
            assertThat(JsonMapper.shared().readTree(answer).path("status").asInt(200))
                    .as(example.toString())
                    .isIn(200, 404, 422);
        }
    }

    @Test
    void description_referencesResolve() {
        JsonNode api = description();

        assertThat(api.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(
                        reference -> assertThat(api.at(reference.substring(1)).isMissingNode())
                                .isFalse());
    }

    @Test
    void description_errorSchemaListsEveryCode() {
        JsonNode codes = description().at("/components/schemas/Error/properties/error/enum");

        assertThat(codes.valueStream().map(JsonNode::asString))
                .containsExactly(
                        List.of(ApiError.values()).stream().map(ApiError::code).toArray(String[]::new));
    }

    @Test
    void probes_andMetrics() {
        client.put().uri("/api/v1/buckets/metrics").exchange().expectStatus().isCreated();
        client.get()
                .uri("/api/v1/buckets/metrics/docs/x")
                .exchange()
                .expectStatus()
                .isNotFound();

        client.get().uri("/actuator/health/liveness").exchange().expectStatus().isOk();
        client.get().uri("/swagger-ui.html").exchange().expectStatus().is3xxRedirection();
        assertThat(new String(body("/actuator/prometheus"), UTF_8))
                .containsPattern(
                        "http_server_requests_seconds_count\\{.*status=\"404\",uri=\"/api/v1/buckets/\\{bucket}/docs/\\{id}\"");
    }

    @Test
    void errors_outsideTheApi() {
        client.get().uri("/nothing").exchange().expectStatus().isNotFound();
    }
}
