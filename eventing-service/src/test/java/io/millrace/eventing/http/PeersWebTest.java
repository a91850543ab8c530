package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.UnfinishedNodes;
import io.millrace.eventing.runtime.CodeInsight;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.NodeInfo;
import io.millrace.workerprotocol.LineInsight;
import io.millrace.workerprotocol.LogLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A node with two others: one that answers and one that is registered and does not answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PeersWebTest extends WebTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofMinutes(10);

    @Autowired
    ClusterNode cluster;

    @Autowired
    UnfinishedNodes stragglers;

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private HttpServer other;
    private List<NodeLease> leases;

    @BeforeAll
    void startOthers() throws IOException {
        other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        other.createContext("/", this::answer);
        other.start();
        leases = List.of(
                metakv.register(
                        new NodeInfo(
                                "node-2",
                                "eventing",
                                "http://127.0.0.1:" + other.getAddress().getPort(),
                                "1"),
                        LEASE),
                metakv.register(new NodeInfo("node-3", "eventing", "http://127.0.0.1:1", "1"), LEASE));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.nodes()).containsKeys("node-2", "node-3"));
    }

    @AfterAll
    void stopOthers() {
        leases.forEach(NodeLease::close);
        other.stop(0);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.nodes()).doesNotContainKeys("node-2", "node-3"));
    }

    @BeforeEach
    void forget() {
        answers.clear();
        asked.clear();
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestURI().toString());
        String path = exchange.getRequestURI().getPath();
        String text = answers.get(path);
        byte[] bytes = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", path.endsWith("/log") ? "text/event-stream" : "text/plain");
        exchange.sendResponseHeaders(text == null ? 404 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void stats_areSummedOverNodes() {
        create("f");
        deploy("f");
        String full = get("/api/v1/stats?type=full&aggregate=false").ok().text();
        answers.put("/api/v1/stats", full);
        answers.put("/api/v1/stats/f", JSON.readTree(full).get(0).toString());

        assertSummed(get("/api/v1/stats").ok().json().get(0));
        assertSummed(get("/api/v1/stats/f").ok().json());
        assertThat(get("/api/v1/stats/f?type=full")
                        .ok()
                        .json()
                        .at("/latency_stats/200")
                        .asInt())
                .isEqualTo(8);
        assertThat(asked)
                .isNotEmpty()
                .allSatisfy(uri -> assertThat(uri).contains("aggregate=false").contains("type=full"));
    }

    @Test
    void deployedApps_areThoseOfEveryNodeThatAnswers() {
        create("f");
        deploy("f");
        create("g");
        deploy("g");
        answers.put("/getLocallyDeployedApps", "{\"g\": \"since\", \"h\": \"since\"}");

        assertThat(get("/getLocallyDeployedApps").ok().json().propertyNames()).containsExactly("f", "g");
        assertThat(get("/getDeployedApps").ok().json().propertyNames()).containsExactly("g");
        assertThat(get("/getRunningApps").ok().json().propertyNames()).containsExactly("f", "g");
        assertThat(get("/getStatus").ok().json().path("apps")).hasSize(2);
    }

    @Test
    void status_countsTheNodesThatRunAFunction() {
        create("f");
        deploy("f");
        create("g");
        deploy("g");
        assertNodes(get("/api/v1/status/f").ok().json().path("app"), "deployed", 1, 0);

        answers.put(
                "/api/v1/status/f", get("/api/v1/status/f?aggregate=false").ok().text());
        answers.put("/api/v1/status", """
            {"apps": [{"name": "f", "function_scope": {"bucket": "b", "scope": "s"}, "num_deployed_nodes": 1},
                      {"name": "g", "function_scope": {"bucket": "*", "scope": "*"}, "num_deployed_nodes": 0,
                       "num_bootstrapping_nodes": 1}]}\
            """);

        assertNodes(get("/api/v1/status/f").ok().json().path("app"), "deployed", 2, 0);
        for (String path : List.of("/api/v1/status", "/getStatus")) {
            JsonNode all = get(path).ok().json();
            assertNodes(all.at("/apps/0"), "deployed", 1, 0);
            assertNodes(all.at("/apps/1"), "deploying", 1, 1);
            assertThat(all.get("num_eventing_nodes").asInt()).isEqualTo(3);
        }
        assertNodes(get("/api/v1/status?aggregate=false").ok().json().at("/apps/1"), "deployed", 1, 0);
        assertThat(asked).allMatch(uri -> uri.contains("aggregate=false"));
        get("/api/v1/status/unknown").error(404, "ERR_APP_NOT_FOUND_TS", 13);
    }

    private static void assertNodes(JsonNode app, String status, int deployed, int bootstrapping) {
        assertThat(app.get("composite_status").asString()).as(app.toString()).isEqualTo(status);
        assertThat(app.get("num_deployed_nodes").asInt()).isEqualTo(deployed);
        assertThat(app.get("num_bootstrapping_nodes").asInt()).isEqualTo(bootstrapping);
    }

    @Test
    void pause_isOverWhenTheOtherNodesSaySo() {
        create("f");
        deploy("f");
        answers.put("/api/v1/status/f", "{\"app\": {\"since\": \"2020-01-01T00:00:00Z\"}}");

        post("/api/v1/functions/f/pause", null).ok();

        List<String> working = ended("f").working();
        assertThat(working).containsExactly("node-2");
        assertThat(ended("f").silent()).containsExactly("node-3");
        JsonNode pausing = get("/api/v1/status/f?aggregate=false").ok().json();
        assertThat(pausing.at("/app/composite_status").asString()).isEqualTo("pausing");
        ((ObjectNode) pausing.path("app")).put("num_stopping_nodes", 1);
        answers.put("/api/v1/status/f", pausing.toString());
        assertThat(ended("f").working()).containsExactly("node-2");
        ((ObjectNode) pausing.path("app")).put("num_stopping_nodes", 0);
        answers.put("/api/v1/status/f", pausing.toString());
        assertThat(ended("f").working()).isEmpty();
    }

    private UnfinishedNodes.Found ended(String name) {
        Instant since = Instant.parse(
                get("/api/v1/status/" + name).ok().json().at("/app/since").asString());
        return stragglers.of(FunctionName.of(name), since).join();
    }

    @Test
    void bootstrap_isReportedForThisNodeAndForAll() {
        create("f");
        deploy("f");
        answers.put("/getBootstrappingApps", "{}");
        assertThat(get("/getAggBootstrapStatus").ok().text()).isEqualTo("false");

        answers.put("/getBootstrappingApps", "{\"f\": \"since\"}");

        assertThat(get("/getBootstrapStatus").ok().text()).isEqualTo("false");
        assertThat(get("/getBootstrapAppStatus?appName=f").ok().text()).isEqualTo("false");
        assertThat(get("/getAggBootstrappingApps").ok().text()).isEqualTo("true");
        assertThat(get("/getAggBootstrapStatus").ok().text()).isEqualTo("true");
        assertThat(get("/getAggBootstrapAppStatus?appName=f").ok().text()).isEqualTo("true");
        get("/getBootstrapAppStatus?appName=unknown").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        get("/getAggBootstrapAppStatus").error(400, "ERR_INVALID_REQUEST", 63);
    }

    private static void assertSummed(JsonNode stats) {
        assertThat(stats.at("/execution_stats/on_update_success").asInt()).isEqualTo(10);
        assertThat(stats.at("/failure_stats/timeout_count").asInt()).isEqualTo(2);
        assertThat(stats.at("/events_remaining/dcp_backlog").asInt()).isEqualTo(84);
        assertThat(stats.get("lag_seconds").asInt()).isEqualTo(17);
        assertThat(stats.at("/execution_stats/curl/get").asInt()).isEqualTo(6);
        assertThat(stats.at("/latency_percentile_stats/50").asInt()).isEqualTo(200);
        assertThat(stats.at("/worker_pids/worker_f_0").asInt()).isEqualTo(4711);
        assertThat(stats.at("/worker_pids/worker_f_0@node-2").asInt()).isEqualTo(4711);
        assertThat(stats.has("latency_stats")).isFalse();
        assertThat(stats.get("missing_nodes").toString()).isEqualTo("[\"node-3\"]");
    }

    @Test
    void ownedVbuckets_areListedByNodeAndWorker() {
        create("f");
        deploy("f");
        answers.put("/getOwnedVbsForApp", "{\"worker_f_0\": \"512-1023\"}");

        JsonNode owned = get("/getAggOwnedVbsForApp?name=f").ok().json();

        assertThat(owned.path("nodes").propertyNames()).containsExactly("node-1", "node-2");
        assertThat(owned.at("/nodes/node-1"))
                .isEqualTo(get("/getOwnedVbsForApp?name=f").ok().json());
        assertThat(owned.at("/nodes/node-2/worker_f_0").asString()).isEqualTo("512-1023");
        assertThat(owned.path("missing_nodes").toString()).isEqualTo("[\"node-3\"]");
        assertThat(asked).contains("/getOwnedVbsForApp?aggregate=false&name=f");
        get("/getAggOwnedVbsForApp?name=unknown").error(404, "ERR_APP_NOT_FOUND_TS", 13);
    }

    @Test
    void reset_reachesOtherNodes() {
        create("f");
        answers.put("/resetNodeStatsCounters", "{}");

        JsonNode done = post("/resetStatsCounters?appName=f", null).ok().json();

        assertThat(asked)
                .singleElement()
                .asString()
                .contains("/resetNodeStatsCounters")
                .contains("appName=f");
        assertThat(done.at("/warning_info/warnings/0").asString())
                .contains("node-3")
                .doesNotContain("node-2");
    }

    @Test
    void insight_isAddedOverNodes() {
        create("f");
        answers.put("/getInsight", """
            {"f": {"script": "", "version": 1, "lines": {"2": {"call_count": 3, "call_time": 40, "error_count": 1,
              "error_msg": "no", "last_log": "seen", "last_trace": "4bf92f"}}}}\
            """);

        JsonNode insight = get("/getInsight?name=f&udmark=true").ok().json().get("f");

        assertThat(insight.at("/lines/2/call_count").asInt()).isEqualTo(3);
        assertThat(insight.at("/lines/2/last_log").asString()).isEqualTo("<ud>seen</ud>");
        assertThat(insight.at("/lines/2/last_trace").asString()).isEqualTo("4bf92f");
        assertThat(insight.get("script").asString()).contains("OnUpdate");
        assertThat(insight.get("missing_nodes").toString()).isEqualTo("[\"node-3\"]");
        assertThat(get("/getInsight?name=f&aggregate=false").ok().json().at("/f/lines"))
                .isEmpty();
        assertThat(asked).singleElement().asString().contains("name=f").contains("aggregate=false");
    }

    @Test
    void insight_isThatOfTheDeployedVersionAndOfItsCanary_onEveryNode() {
        create("f");
        deploy("f");
        post("/api/v1/functions/f/canary", "{\"code\": \"function OnUpdate() {}\"}")
                .ok();
        runtime.insight("f", counted(1, 10), counted(2, 1), counted(7, 100));
        answers.put("/getInsight", """
            {"f": {"version": 1, "lines": {"2": {"call_count": 20}},
                   "canary": {"version": 2, "lines": {"2": {"call_count": 2}}}}}\
            """);

        JsonNode both = get("/getInsight?name=f").ok().json().get("f");
        answers.put("/getInsight", "{\"f\": {\"version\": 2, \"lines\": {\"2\": {\"call_count\": 40}}}}");
        JsonNode ahead = get("/getInsight?name=f").ok().json().get("f");

        assertThat(both.get("version").asLong()).isEqualTo(1);
        assertThat(both.at("/lines/2/call_count").asInt()).isEqualTo(30);
        assertThat(both.at("/canary/version").asLong()).isEqualTo(2);
        assertThat(both.at("/canary/script").asString()).isEqualTo("function OnUpdate() {}");
        assertThat(both.at("/canary/lines/2/call_count").asInt()).isEqualTo(3);
        assertThat(ahead.at("/lines/2/call_count").asInt()).isEqualTo(10);
        assertThat(ahead.at("/canary/lines/2/call_count").asInt()).isEqualTo(41);
    }

    @Test
    void insightOfCodeThatWasOnlyDescribedDifferently_isThatOfTheWorkersThatRunIt() {
        create("f");
        String code = definition("f").path("appcode").asString();
        runtime.insight("f", new CodeInsight(0, code, counted(0, 10).lines()));
        assertThat(calls()).isEqualTo(10);

        runtime.insight("f", new CodeInsight(0, "other code", counted(0, 10).lines()));
        assertThat(calls()).isZero();
    }

    private int calls() {
        return get("/getInsight?name=f&aggregate=false")
                .ok()
                .json()
                .at("/f/lines/2/call_count")
                .asInt();
    }

    private static CodeInsight counted(long version, long calls) {
        return new CodeInsight(version, "", List.of(new LineInsight(2, calls, 0, 0, "", "", "")));
    }

    @Test
    void log_isMergedByTime() {
        create("f");
        logs.append("f", List.of(new LogLine("INFO", 1000, "one"), new LogLine("INFO", 3000, "three")));
        answers.put("/getAppLog", """
            1970-01-01T00:00:04.000Z [INFO] four
            {"time":"1970-01-01T00:00:02.000Z","level":"INFO","text":"two"}
            """);

        List<String> lines = get("/getAppLog?name=f").ok().text().lines().toList();

        assertThat(lines.getFirst()).contains("[WARNING]").contains("node-3").doesNotContain("node-2");
        assertThat(lines.subList(1, lines.size()))
                .containsExactly(
                        "1970-01-01T00:00:04.000Z [INFO] four",
                        "1970-01-01T00:00:03.000Z [INFO] three",
                        "{\"time\":\"1970-01-01T00:00:02.000Z\",\"level\":\"INFO\",\"text\":\"two\"}",
                        "1970-01-01T00:00:01.000Z [INFO] one");
        assertThat(get("/getAppLog?name=f&size=40").ok().text().lines().skip(1)).hasSize(1);
        assertThat(get("/getAppLog?name=f&aggregate=false").ok().text().lines()).hasSize(2);
    }

    @Test
    void tail_followsOtherNodes() {
        create("f");
        answers.put("/api/v1/functions/f/log", ":following\n\ndata:{\"text\":\"from afar\"}\n\n");
        List<String> seen = new CopyOnWriteArrayList<>();
        Disposable following = WebClient.create("http://127.0.0.1:" + port)
                .get()
                .uri("/api/v1/functions/f/log")
                .accept(MediaType.TEXT_EVENT_STREAM)
                .retrieve()
                .bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {})
                .subscribe(event -> seen.add(event.data() + " " + event.comment()));
        try {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(seen)
                            .anyMatch(event -> event.contains("from afar"))
                            .anyMatch(event -> event.contains("node node-3 does not answer"))
                            .anyMatch(event -> event.contains("following f")));
            logs.append("f", List.of(new LogLine("INFO", 5000, "from here")));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(seen).anyMatch(event -> event.contains("from here")));
        } finally {
            following.dispose();
        }
    }
}
