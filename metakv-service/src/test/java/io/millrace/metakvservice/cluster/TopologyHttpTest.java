package io.millrace.metakvservice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.NodeInfo;
import io.millrace.metakvservice.MemoryStore;
import io.millrace.metakvservice.entries.Entries;
import io.millrace.metakvservice.entries.MirrorOutage;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.TopologyAgent;
import io.millrace.rebalance.topology.TopologyEntries;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** TopologyManager changes over HTTP, with nodes that are agents alone. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "millrace.topology.mode=manual")
@Import(MemoryStore.class)
class TopologyHttpTest {

    @LocalServerPort
    private int port;

    @Autowired
    private TopologyManager topology;

    @Autowired
    private Entries entries;

    @Autowired
    private NodeRegistry nodes;

    @Autowired
    private ApplicationContext context;

    private final Map<String, TopologyAgent> agents = new TreeMap<>();
    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .build();
    }

    @Test
    void nodes_comeAndGoAsPeopleWant() {
        join("a");
        await().untilAsserted(() -> {
            look();
            assertThat(get("/api/v1/topology").at("/planned/a").asString()).isEqualTo("0-1023");
        });
        join("b");
        String id = post("/api/v1/topology/rebalance", Map.of("keepNodes", List.of("a", "b")), 202)
                .path("id")
                .asString();
        assertThat(get("/api/v1/topology").path("before").path("a").asString()).isEqualTo("0-1023");
        assertThat(post("/api/v1/topology/rebalance", Map.of(), 409)
                        .path("detail")
                        .asString())
                .contains(id);
        settled("b", "512-1023");

        post("/api/v1/topology/failover", Map.of("nodes", List.of("a"), "graceful", true), 202);
        settled("b", "0-1023");
        assertThat(get("/api/v1/topology").path("members")).hasSize(1);
        assertThat(post("/api/v1/topology/failover", Map.of("nodes", List.of("a", "b")), 409)
                        .path("detail")
                        .asString())
                .contains("keepNodes is empty");
        assertThat(get("/api/v1/topology").path("out").path(0).asString()).isEqualTo("a");

        id = post("/api/v1/topology/rebalance", Map.of(), 202).path("id").asString();
        assertThat(get("/api/v1/topology/tasks").path("rev").asString()).isNotEmpty();
        http.delete()
                .uri("/api/v1/topology/tasks/" + id)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
        await().untilAsserted(() -> assertThat(
                        get("/api/v1/topology").at("/change/phase").asString())
                .isEqualTo("CANCELLED"));
        http.delete()
                .uri("/api/v1/topology/tasks/" + id)
                .exchange()
                .expectStatus()
                .isEqualTo(409)
                .expectBody();
        assertThat(get("/api/v1/topology").path("members")).hasSize(2);
    }

    @Test
    void bodies_thatMakeNoSense_areRefusedWithWhatIsWrong() {
        join("a");
        await().untilAsserted(() -> {
            look();
            assertThat(get("/api/v1/topology").path("members")).isNotEmpty();
        });

        assertThat(refusal("rebalance", "{\"ejectNode\": [\"a\"]}", 400))
                .contains("Unknown fields: ejectNode. The fields are keepNodes and ejectNodes.");
        assertThat(refusal("rebalance", "{\"keepNodes\": [null]}", 400)).contains("keepNodes", "null or blank");
        assertThat(refusal("rebalance", "{\"keepNodes\": \"a\"}", 400)).contains("keepNodes");
        assertThat(refusal("rebalance", "{\"keepNodes\": [\"x\"]}", 409)).contains("not alive: [x]", "alive are");
        assertThat(refusal("rebalance", "{\"ejectNodes\": [\"x\"]}", 409)).contains("part of the cluster: [x]");
        assertThat(refusal("rebalance", "{\"keepNodes\": [\"a\"], \"ejectNodes\": [\"a\"]}", 409))
                .contains("in both keepNodes and ejectNodes: [a]");
        assertThat(refusal("failover", "{}", 400)).contains("List the nodes to fail over");
        assertThat(refusal("failover", "{\"nodes\": []}", 400)).contains("List the nodes to fail over");
        assertThat(refusal("failover", "{\"nodes\": [\"a\"], \"gracefully\": true}", 400))
                .contains("gracefully");
        assertThat(refusal("failover", "{\"nodes\": [\"x\"]}", 409)).contains("part of the cluster: [x]");
        assertThat(refusal("failover", "not JSON", 400)).contains("JSON");
        http.delete()
                .uri("/api/v1/topology/tasks/none")
                .exchange()
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.detail")
                .value(String.class, message -> assertThat(message).contains("'none'", "No change is running"));
    }

    @Test
    void node_thatIsTakenOutOfTheRegistry_hasLeftInOrder() {
        join("leaver");
        assertThat(topology.view().live()).contains("leaver");

        http.delete()
                .uri("/api/v1/nodes/leaver")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
        assertThat(topology.view().registry().left()).contains("leaver");

        join("leaver");
        assertThat(topology.view().registry().left()).doesNotContain("leaver");
        nodes.remove("leaver").block();
        agents.remove("leaver");
    }

    /** A response from the state before an outage would be wrong. */
    @Test
    void instance_thatHasNotCaughtUp_saysSo() throws Exception {
        join("a");
        List<Supplier<WebTestClient.RequestHeadersSpec<?>>> requests = List.of(
                () -> http.get().uri("/api/v1/topology"),
                () -> http.get().uri("/api/v1/topology/tasks"),
                () -> http.post()
                        .uri("/api/v1/topology/rebalance")
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(Map.of("keepNodes", List.of("unknown"))),
                () -> http.post()
                        .uri("/api/v1/topology/failover")
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(Map.of("nodes", List.of("unknown"))));
        try (var outage = MirrorOutage.begin(context);
                var calls = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(outage).isNotNull();
            List<Callable<Integer>> statuses = requests.stream()
                    .<Callable<Integer>>map(request -> () -> request.get()
                            .exchange()
                            .returnResult(Void.class)
                            .getStatus()
                            .value())
                    .toList();
            for (var status : calls.invokeAll(statuses)) {
                assertThat(status.get()).isEqualTo(503);
            }
        }
    }

    /** The node that joins is known to the one who asks, and must be to the one who answers. */
    @Test
    void request_isDecidedOnWhatWasAnsweredBefore() {
        join("a");
        await().untilAsserted(() -> {
            look();
            assertThat(get("/api/v1/topology").path("members")).isNotEmpty();
        });
        for (int round = 0; round < 20; round++) {
            nodes.remove("late").block();
            register("late", "http://127.0.0.1:1");
            assertThat(get("/api/v1/topology").path("live").toString()).contains("late");
        }
        nodes.remove("late").block();
    }

    @Test
    void nodeThatWasKilled_isUnreachableWhileItsLeaseRuns() throws IOException {
        try (ServerSocket process = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            register("killed", "http://127.0.0.1:" + process.getLocalPort());
            assertThat(get("/api/v1/topology").path("unreachable")).isEmpty();
        }

        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            JsonNode view = get("/api/v1/topology");
            assertThat(view.path("unreachable").path(0).asString()).isEqualTo("killed");
            assertThat(view.path("live").toString()).contains("killed");
        });
        nodes.remove("killed").block();
        assertThat(get("/api/v1/topology").path("unreachable")).isEmpty();
    }

    private String refusal(String action, String body, int status) {
        JsonNode answer = post("/api/v1/topology/" + action, body, status);
        assertThat(answer.path("code").asString()).isEqualTo(status == 400 ? "invalid_request" : "conflict");
        return answer.path("detail").asString();
    }

    private void settled(String node, String share) {
        await().untilAsserted(() -> {
            look();
            JsonNode view = get("/api/v1/topology");
            assertThat(view.path("rebalancing").asBoolean()).isFalse();
            assertThat(view.path("planned").path(node).asString()).isEqualTo(share);
        });
    }

    private void join(String node) {
        register(node, "http://127.0.0.1:1");
        agents.put(node, new TopologyAgent(node));
    }

    private void register(String node, String address) {
        nodes.register(
                        new NodeInfo(node, "eventing", address, "1"),
                        new NodeRegistry.Place("", ""),
                        Duration.ofMinutes(10))
                .block();
    }

    private void look() {
        for (TopologyAgent agent : agents.values()) {
            ClusterView view = topology.view();
            for (Order order : agent.decide(view, layout -> 1)) {
                TopologyEntries.EntryWrite write = TopologyEntries.write(order);
                byte[] value = write.value();
                if (value == null) {
                    entries.delete(write.path(), Entries.Author.of(null)).block();
                } else {
                    entries.set(write.path(), value, Entries.Author.of(null)).block();
                }
            }
        }
    }

    private JsonNode get(String path) {
        return json(http.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody());
    }

    private JsonNode post(String path, Object body, int status) {
        return json(http.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody()
                .returnResult()
                .getResponseBody());
    }

    private static JsonNode json(byte @Nullable [] body) {
        return new JsonMapper().readTree(Objects.requireNonNull(body));
    }
}
