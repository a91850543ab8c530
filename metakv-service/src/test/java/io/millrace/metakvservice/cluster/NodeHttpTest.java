package io.millrace.metakvservice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.metakvservice.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.StatusAssertions;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.json.JsonMapper;

/** The registry of nodes, on a clock that is moved by hand. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class NodeHttpTest {

    @LocalServerPort
    private int port;

    @Autowired
    private MemoryStore.MovableClock clock;

    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .build();
    }

    @Test
    void node_isListedWhileItsLeaseIsRenewed() {
        register("a", 10).isOk();
        clock.forward(9);
        register("a", 10).isOk();
        clock.forward(9);

        assertThat(listed()).contains("a");
        http.get()
                .uri("/api/v1/nodes/a")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.service")
                .isEqualTo("eventing")
                .jsonPath("$.expires")
                .isNotEmpty();
    }

    @Test
    void node_isForgottenAfterItsLease() {
        register("b", 10).isOk();
        register("c", 60).isOk();

        clock.forward(12);

        assertThat(listed()).doesNotContain("b").contains("c");
        http.get().uri("/api/v1/nodes/b").exchange().expectStatus().isNotFound().expectBody();
    }

    @Test
    void node_thatLeavesIsForgottenAtOnce() {
        register("d", 10).isOk();

        http.delete().uri("/api/v1/nodes/d").exchange().expectStatus().isOk().expectBody();

        assertThat(listed()).doesNotContain("d");
        http.delete().uri("/api/v1/nodes/d").exchange().expectStatus().isOk().expectBody();
    }

    @Test
    void idThatCannotBeStored_isAMistakeOfTheCaller() {
        http.get()
                .uri("/api/v1/nodes/{id}", "\0")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody();
    }

    @Test
    void id_ofAProcessElsewhere_isRefusedWhileItsLeaseRuns() {
        registerAt("f", "http://127.0.0.1:1", "h1").isOk();
        registerAt("f", "http://127.0.0.1:2", "h1")
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("node_id_taken")
                .jsonPath("$.detail")
                .value(
                        String.class,
                        message ->
                                assertThat(message).contains("'f'", "http://127.0.0.1:1", "'h1'", "MILLRACE_NODE_ID"));
        registerAt("f", "http://127.0.0.1:1", "h2").isEqualTo(409);
        registerAt("f", "http://127.0.0.1:1", "h1").isOk();

        clock.forward(12);
        registerAt("f", "http://127.0.0.1:1", "h2").isOk();
        registerAt("f", "http://127.0.0.1:1", "h1").isEqualTo(409);

        http.delete().uri("/api/v1/nodes/f").exchange().expectStatus().isOk().expectBody();
        registerAt("f", "http://127.0.0.1:1", "h1").isOk();
    }

    /** As of a pod that was declared dead and is not. */
    @Test
    void id_ofALaterProcessAtTheSamePlace_isRefusedToTheEarlier() {
        registerAs("g", "one").isOk();
        registerAs("g", "two").isOk();
        registerAs("g", "one")
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.detail")
                .value(String.class, message -> assertThat(message).contains("a later process"));
        registerAs("g", "two").isOk();
        registerAs("g", "one").isEqualTo(409);
        registerAs("g", "three").isOk();
        registerAs("g", "two").isEqualTo(409);
        registerAs("g", "one").isEqualTo(409);

        clock.forward(12);
        registerAs("g", "one").isOk();
    }

    private StatusAssertions registerAs(String id, String process) {
        return http.put()
                .uri("/api/v1/nodes/{id}", id)
                .bodyValue(Map.of("service", "eventing", "address", "http://a", "host", "h", "process", process))
                .exchange()
                .expectStatus();
    }

    private StatusAssertions registerAt(String id, String address, String host) {
        return http.put()
                .uri("/api/v1/nodes/{id}", id)
                .bodyValue(Map.of("service", "eventing", "address", address, "host", host, "leaseSeconds", 10))
                .exchange()
                .expectStatus();
    }

    @Test
    void node_thatIsNotValidIsRefused() {
        register("e", 1).isBadRequest();
        register("e", 100_000).isBadRequest();
        register("no spaces", 10).isBadRequest();
        registerAt("e", "http://127.0.0.1:1", "h".repeat(257)).isBadRequest();
        for (String body : List.of(
                "{", "[]", "{\"service\":\"s\"}", "{\"service\":\"s\",\"address\":\"a\",\"leaseSeconds\":\"x\"}")) {
            http.put()
                    .uri("/api/v1/nodes/e")
                    .header("Content-Type", "application/json")
                    .bodyValue(body)
                    .exchange()
                    .expectStatus()
                    .isBadRequest()
                    .expectBody()
                    .jsonPath("$.code")
                    .isEqualTo("invalid_request")
                    .jsonPath("$.detail")
                    .isNotEmpty();
        }

        assertThat(listed()).doesNotContain("e");
    }

    private StatusAssertions register(String id, int leaseSeconds) {
        return http.put()
                .uri("/api/v1/nodes/{id}", id)
                .bodyValue(Map.of(
                        "service", "eventing",
                        "address", "http://127.0.0.1:8096",
                        "version", "0.1",
                        "leaseSeconds", leaseSeconds))
                .exchange()
                .expectStatus();
    }

    private List<String> listed() {
        byte[] body = http.get()
                .uri("/api/v1/nodes")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        var ids = new ArrayList<String>();
        new JsonMapper().readTree(body).forEach(node -> ids.add(node.path("id").asString()));
        return ids;
    }
}
