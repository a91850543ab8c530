package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.handler.requests.RequestSchema;
import io.millrace.handler.requests.Verdict;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;

/** Requests for functions that say in the setting openapi what they take; a fake runtime returns what OnRequest would. */
class DescribedRequestsWebTest extends WebTest {

    private static final String SETTINGS = """
            {"openapi": {"paths": {
              "/parcels": {"get": {"parameters": [
                {"in": "query", "name": "limit", "schema": {"type": "integer", "examples": [5]}}]}},
              "/parcels/{id}": {
                "parameters": [{"in": "path", "name": "id", "schema": {"type": "string", "examples": ["p7"]}}],
                "get": {},
                "put": {"requestBody": {"required": true, "content": {"application/json": {
                  "schema": {"type": "object", "required": ["to"], "properties": {"to": {"type": "string"}},
                             "examples": [{"to": "Ada"}]}}}}}}}}}
            """;

    private final List<HttpRequest> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void createFunction() {
        create("f");
        runtime.onRequest(request -> {
            seen.add(request);
            return CompletableFuture.completedFuture(new RequestResult.Answered(
                    Outcome.success(1),
                    new HttpResponse(204, List.of(), new HttpBody(HttpBody.Kind.NONE, new byte[0]))));
        });
    }

    private int call(HttpMethod method, String target, String body) {
        WebTestClient.RequestBodySpec request = http.method(method).uri("/fn/f" + target);
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").bodyValue(body);
        }
        return request.exchange()
                .expectBody(String.class)
                .returnResult()
                .getStatus()
                .value();
    }

    @Test
    void everyOperationOfTheDocument_canBeCalledWithItsExamples() {
        post("/api/v1/functions/f/settings", SETTINGS).ok();

        JsonNode document = JSON.readTree(get("/api/v1/functions/f/openapi").text());

        assertThat(document.path("openapi").asString()).isEqualTo("3.1.0");
        assertThat(document.at("/info/title").asString()).isEqualTo("f");
        assertThat(document.at("/servers/0/url").asString()).isEqualTo("/fn/f");
        int operations = 0;
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (String method : List.of("get", "put")) {
                JsonNode operation = path.getValue().path(method);
                if (operation.isMissingNode()) {
                    continue;
                }
                String target = path.getKey()
                        .replace(
                                "{id}",
                                path.getValue()
                                        .at("/parameters/0/schema/examples/0")
                                        .asString("none"));
                JsonNode limit = operation.at("/parameters/0/schema/examples/0");
                JsonNode body = operation.at("/requestBody/content/application~1json/schema/examples/0");
                int status = call(
                        HttpMethod.valueOf(method.toUpperCase(java.util.Locale.ROOT)),
                        limit.isMissingNode() ? target : target + "?limit=" + limit,
                        body.isMissingNode() ? "" : body.toString());
                assertThat(status).as(method + " " + target).isEqualTo(204);
                operations++;
            }
        }
        assertThat(operations).isEqualTo(3);
        assertThat(seen).hasSize(3);
    }

    @Test
    void otherRequests_areRefusedBeforeTheFunctionIsCalled() {
        assertThat(call(HttpMethod.DELETE, "/parcels/p7", "")).isEqualTo(204);
        post("/api/v1/functions/f/settings", SETTINGS).ok();
        seen.clear();

        assertThat(call(HttpMethod.PUT, "/parcels/p7", "{}")).isEqualTo(400);
        assertThat(call(HttpMethod.GET, "/parcels?limit=many", "")).isEqualTo(400);
        assertThat(call(HttpMethod.DELETE, "/parcels/p7", "")).isEqualTo(405);
        assertThat(call(HttpMethod.GET, "/letters", "")).isEqualTo(404);
        assertThat(seen).isEmpty();

        post("/api/v1/functions/f/settings", "{\"openapi\": {}}").ok();
        assertThat(call(HttpMethod.GET, "/letters", "")).isEqualTo(204);
    }

    @Test
    void otherMethod_isToldWhichThereAre() {
        post("/api/v1/functions/f/settings", SETTINGS).ok();

        http.delete().uri("/fn/f/parcels/p7").exchange().expectHeader().valueEquals("Allow", "GET,PUT,HEAD");
    }

    @Test
    void linesOfOneHeader_areOneValue() {
        post("/api/v1/functions/f/settings", """
                {"openapi": {"paths": {"/": {"get": {"parameters": [{"in": "header", "name": "X-Sizes",
                  "schema": {"type": "array", "items": {"type": "integer"}}}]}}}}}
                """).ok();

        http.get()
                .uri("/fn/f/")
                .header("X-Sizes", "1, 2", "3")
                .exchange()
                .expectStatus()
                .isNoContent();
        http.get()
                .uri("/fn/f/")
                .header("X-Sizes", "1, 2", "x")
                .exchange()
                .expectStatus()
                .isBadRequest();
    }

    /** {@code fn test} answers with what the verdict says. */
    @Test
    void refusals_areWhatTheVerdictSays() {
        post("/api/v1/functions/f/settings", SETTINGS).ok();
        RequestSchema taken = RequestSchema.of(JSON.readTree(SETTINGS).path("openapi"));

        for (String request : List.of("PUT parcels/p7", "DELETE parcels/p7", "GET letters")) {
            String[] parts = request.split(" ");
            Verdict verdict = taken.check(new RequestSchema.Request(
                    parts[0], List.of(parts[1].split("/")), Map.of(), name -> null, null, new byte[0]));
            JsonNode problem = JSON.readTree(http.method(HttpMethod.valueOf(parts[0]))
                    .uri("/fn/f/" + parts[1])
                    .exchange()
                    .expectBody()
                    .returnResult()
                    .getResponseBodyContent());

            assertThat(verdict)
                    .isInstanceOfSatisfying(
                            Verdict.Refused.class,
                            refused -> assertThat(List.of(
                                            problem.path("status").asInt(),
                                            problem.path("code").asString(),
                                            problem.path("detail").asString()))
                                    .containsExactly(refused.status(), refused.code(), refused.detail("f")));
        }
    }

    @Test
    void pathParameter_isComparedAsTheFunctionSeesIt() {
        post("/api/v1/functions/f/settings", """
                {"openapi": {"paths": {"/{to}": {
                  "parameters": [{"in": "path", "name": "to", "schema": {"enum": ["Ada Lü"]}}], "get": {}}}}}
                """).ok();

        assertThat(call(HttpMethod.GET, "/Ada Lü", "")).isEqualTo(204);
        assertThat(call(HttpMethod.GET, "/Ada", "")).isEqualTo(400);
    }

    @Test
    void functionThatSaysNothing_hasNoDocument_andAWrongSettingIsRefused() {
        assertThat(get("/api/v1/functions/f/openapi").text()).contains("requests_not_described");
        assertThat(post("/api/v1/functions/f/settings", "{\"openapi\": {\"paths\": {\"a\": {}}}}")
                        .text())
                .contains("the path a must begin with a slash");
    }
}
