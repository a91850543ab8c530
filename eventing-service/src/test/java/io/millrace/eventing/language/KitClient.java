package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What tests of the kit do through the REST API. */
abstract class KitClient {

    static final JsonMapper JSON = JsonMapper.shared();
    static final Duration PATIENCE = Duration.ofMinutes(4);

    private WebTestClient http;

    /** Returns where the service listens. */
    abstract int port();

    @BeforeAll
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port())
                .responseTimeout(PATIENCE)
                .build();
    }

    long statistic(String function, String block, String name) {
        JsonNode stats = JSON.readTree(text("/api/v1/stats/" + function));
        return (stats.isArray() ? stats.path(0) : stats).path(block).path(name).asLong(-1);
    }

    void deploy(String name, ObjectNode definition) {
        JsonNode stored = post("/api/v1/functions/" + name, definition.toString());
        assertThat(stored.path("code").asInt(-1)).as(stored.toString()).isZero();
        JsonNode deployed = post("/api/v1/functions/" + name + "/deploy", "");
        assertThat(deployed.path("code").asInt(-1)).as(deployed.toString()).isZero();
        awaitStatus(name, "deployed");
    }

    void undeploy(String name) {
        post("/api/v1/functions/" + name + "/undeploy", "");
        awaitStatus(name, "undeployed");
    }

    void awaitStatus(String name, String status) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(JSON.readTree(text("/api/v1/status/" + name))
                                .at("/app/composite_status")
                                .asString(""))
                        .as(text("/getAppLog?name=" + name))
                        .isEqualTo(status));
    }

    JsonNode post(String path, String body) {
        byte[] answer = http.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return JSON.readTree(answer == null ? new byte[] {'{', '}'} : answer);
    }

    String text(String path) {
        byte[] answer =
                http.get().uri(path).exchange().expectBody().returnResult().getResponseBody();
        return answer == null ? "" : new String(answer, StandardCharsets.UTF_8);
    }
}
