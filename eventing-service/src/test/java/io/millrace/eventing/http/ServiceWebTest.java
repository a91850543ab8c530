package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.workerprotocol.LogLine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import tools.jackson.databind.JsonNode;

class ServiceWebTest extends WebTest {

    @Test
    void stats_ofARunningFunction() {
        create("f");
        deploy("f");

        JsonNode stats = get("/api/v1/stats").ok().json();

        assertThat(stats).hasSize(1);
        JsonNode one = stats.get(0);
        assertThat(one.get("function_name").asString()).isEqualTo("f");
        assertThat(one.at("/execution_stats/on_update_success").asInt()).isEqualTo(5);
        assertThat(one.at("/execution_stats/on_delete_failure").isNumber()).isTrue();
        assertThat(one.at("/execution_stats/extra_counter").asInt()).isEqualTo(2);
        assertThat(one.at("/failure_stats/timeout_count").asInt()).isEqualTo(1);
        assertThat(one.at("/failure_stats/bucket_op_exception_count").isNumber())
                .isTrue();
        assertThat(one.at("/event_processing_stats/dcp_mutation_sent_to_worker").asInt())
                .isEqualTo(6);
        assertThat(one.at("/events_remaining/dcp_backlog").asInt()).isEqualTo(42);
        assertThat(one.get("lag_seconds").asInt()).isEqualTo(17);
        assertThat(one.at("/execution_stats/curl").toString())
                .isEqualTo("{\"get\":3,\"post\":0,\"put\":0,\"head\":0,\"delete\":0}");
        assertThat(one.get("lcb_exception_stats").toString()).isEqualTo("{\"13\":4}");
        assertThat(one.get("execution_stats").has("curl.get")).isFalse();
        assertThat(one.at("/worker_pids/worker_f_0").asInt()).isEqualTo(4711);
        assertThat(one.at("/internal_vb_distribution_stats/worker_f_0").asString())
                .startsWith("[0, 1, 2");
        assertThat(one.at("/latency_percentile_stats/50").asInt()).isEqualTo(200);
        assertThat(one.at("/latency_percentile_stats/100").asInt()).isEqualTo(1500);
        assertThat(one.at("/dcp_feed_boundary").asString()).isEqualTo("everything");
        assertThat(one.has("latency_stats")).isFalse();
        assertThat(get("/api/v1/stats?type=full")
                        .json()
                        .at("/0/latency_stats/200")
                        .asInt())
                .isEqualTo(4);
        assertThat(get("/api/v1/stats?type=debug").json().get(0).has("vb_stats"))
                .isTrue();
        assertThat(get("/api/v1/stats?type=full&debug=true").json().get(0).has("vb_stats"))
                .isTrue();
    }

    @Test
    void stats_ofAFunctionAtRest_areZeros() {
        create("f");

        assertThat(get("/api/v1/stats").ok().json()).isEmpty();
        JsonNode one = get("/api/v1/stats/f").ok().json();
        assertThat(one.at("/execution_stats/on_update_success").asInt(-1)).isZero();
        assertThat(one.at("/events_remaining/dcp_backlog").asInt(-1)).isZero();
    }

    @Test
    void partsOfTheStats_haveTheirPaths() {
        create("f");

        JsonNode all = get("/api/v1/stats/f?type=full").ok().json();
        assertThat(get("/getFailureStats?name=f").ok().json()).isEqualTo(all.get("failure_stats"));
        assertThat(get("/getExecutionStats?name=f")
                        .ok()
                        .json()
                        .path("on_update_success")
                        .asInt(-1))
                .isZero();
        assertThat(get("/getLatencyStats?name=f").ok().json()).isEqualTo(all.get("latency_stats"));
        assertThat(get("/getEventProcessingStats?name=f").ok().json()).isEqualTo(all.get("event_processing_stats"));
        assertThat(get("/getDcpEventsRemaining?name=f").ok().text()).isEqualTo("0");
        assertThat(get("/getConsumerPids?name=f").ok().json()).isEmpty();
        get("/getFailureStats").error(400, "ERR_INVALID_REQUEST", 63);
        get("/getFailureStats?name=none").error(404, "ERR_APP_NOT_FOUND_TS", 13);
    }

    @Test
    void insightWithoutAName_isThatOfAllFunctions() {
        create("f");
        create("g");

        assertThat(get("/getInsight").ok().json().propertyNames()).containsExactly("f", "g");
    }

    @Test
    void whatMillraceDoesNotHave_isSaidInWords() {
        assertThat(post("/writeDebuggerURL?name=f", "")
                        .error(400, "ERR_DEBUGGER_DISABLED", 45)
                        .asString())
                .contains("/getDebuggerUrl");
        assertThat(get("/api/v1/backup").error(404, "ERR_INVALID_REQUEST", 63).asString())
                .contains("/api/v1/export");
        assertThat(post("/api/v1/functions/f/retry", "{}")
                        .error(404, "ERR_INVALID_REQUEST", 63)
                        .asString())
                .contains("retry_pause");
        for (var path : List.of("/getSeqsProcessed?name=f", "/getUserInfo", "/logLevel")) {
            assertThat(get(path).error(404, "ERR_INVALID_REQUEST", 63).asString())
                    .as(path)
                    .doesNotContain("/v3/api-docs");
        }
        assertThat(get("/api/v1/functions/f/none")
                        .error(404, "ERR_INVALID_REQUEST", 63)
                        .asString())
                .contains("/v3/api-docs");
    }

    @Test
    void resetStats_reachesTheRuntime() {
        create("f");
        deploy("f");

        get("/resetStatsCounters?appName=f").ok();
        post("/resetStatsCounters", null).ok();

        assertThat(runtime.calls("f")).filteredOn("resetStats"::equals).hasSize(2);
        get("/resetStatsCounters?appName=nope").error(404, "ERR_APP_NOT_FOUND_TS", 13);
    }

    @Test
    void metrics_areTaggedByFunction() {
        create("f");
        deploy("f");

        await().untilAsserted(() -> assertThat(get("/actuator/prometheus").text())
                .contains("eventing_on_update_success_total{function=\"f\"} 5.0")
                .contains("eventing_timeout_total{function=\"f\"} 1.0")
                .contains("eventing_dcp_backlog{function=\"f\"} 42.0")
                .contains("eventing_handler_latency_seconds_bucket{function=\"f\",le=\"2.0E-4\"} 4")
                .contains("eventing_lag_seconds{function=\"f\"} 17.0")
                .contains("eventing_curl_latency_seconds_bucket{function=\"f\",le=\"2.0E-4\"} 3")
                .contains("eventing_handler_latency_seconds_count{function=\"f\"} 6"));
        assertThat(get("/_prometheusMetricsHigh").ok().text())
                .contains("eventing_on_update_success{functionName=\"f\"} 5\n");
        assertThat(get("/_prometheusMetrics").ok().text()).isEqualTo("eventing_worker_restart_count 0\n");
        post("/api/v1/functions/f/undeploy", null).ok();
        await().untilAsserted(
                        () -> assertThat(get("/actuator/prometheus").text()).doesNotContain("function=\"f\""));
    }

    @Test
    void log_comesNewestFirstUpToASize() {
        create("f");
        logs.append(
                "f",
                IntStream.range(0, 5)
                        .mapToObj(i -> new LogLine("INFO", i, "line " + i))
                        .toList());

        assertThat(get("/getAppLog?name=f").ok().text().lines().map(line -> line.substring(line.length() - 6)))
                .containsExactly("line 4", "line 3", "line 2", "line 1", "line 0");
        assertThat(get("/getAppLog?name=f&size=80&aggregate=true").ok().text().lines())
                .hasSize(2);
        assertThat(get("/logFileLocation").ok().json().get("log_dir").asString())
                .endsWith("functions");
    }

    @Test
    void log_canBeFollowed() {
        create("f");
        var about = new LogLine.About("4bf92f", "sales", "orders", "o-1");
        List<String> seen = new CopyOnWriteArrayList<>();
        Disposable following = WebClient.create("http://127.0.0.1:" + port)
                .get()
                .uri("/api/v1/functions/f/log")
                .accept(MediaType.TEXT_EVENT_STREAM)
                .retrieve()
                .bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {})
                .mapNotNull(ServerSentEvent::data)
                .subscribe(seen::add);

        await().untilAsserted(() -> {
            logs.append("f", List.of(new LogLine("DEBUG", 0, "hidden"), new LogLine("INFO", 1000, "shown", about)));
            assertThat(seen).isNotEmpty();
        });
        following.dispose();
        assertThat(seen)
                .allSatisfy(line -> assertThat(JSON.readTree(line))
                        .isEqualTo(JSON.readTree("{\"time\": \"1970-01-01T00:00:01Z\", \"level\": \"INFO\","
                                + " \"version\": 1, \"trace\": \"4bf92f\", \"document\": \"o-1\", \"scope\": \"sales\","
                                + " \"collection\": \"orders\", \"text\": \"shown\"}")));
        assertThat(get("/api/v1/functions/none/log").status()).isEqualTo(404);
    }

    @Test
    void log_keepsDebugLinesOutUntilTheyAreWanted() {
        create("f");
        logs.append("f", List.of(new LogLine("DEBUG", 0, "hidden")));
        post("/api/v1/functions/f/settings", settings("log_level", "DEBUG")).ok();

        await().untilAsserted(() -> {
            logs.append("f", List.of(new LogLine("DEBUG", 0, "shown")));
            assertThat(get("/getAppLog?name=f").ok().text()).contains("shown").doesNotContain("hidden");
        });
    }

    @Test
    void config_isMerged() {
        post("/api/v1/config", "{\"function_size\": 2000, \"force_compress\": false}")
                .ok();
        post("/api/v1/config", "{\"enable_debugger\": true}").ok();

        JsonNode config = get("/api/v1/config").ok().json();
        assertThat(config.get("function_size").asInt()).isEqualTo(2000);
        assertThat(config.get("enable_debugger").asBoolean()).isTrue();
        assertThat(config.get("cursor_limit").asInt()).isEqualTo(5);
        post(
                        "/api/v1/functions/f",
                        definition("f").put("appcode", "x".repeat(2001)).toString())
                .error(400, "ERR_APPCODE_SIZE", 39);
    }

    @Test
    void errorCodes_areAllListed() {
        JsonNode codes = get("/getErrorCodes").ok().json();

        assertThat(codes.get("header_key").asString()).isEqualTo("status");
        assertThat(codes.get("errors")).hasSize(ErrorCode.values().length);
        assertThat(codes.at("/errors")
                        .valueStream()
                        .map(error -> error.get("code").asInt()))
                .doesNotHaveDuplicates();
    }

    @Test
    void node_reportsItsIdVersionAndWorkers() {
        create("f");
        deploy("f");

        assertThat(get("/uuid").ok().text()).isEqualTo("node-1");
        assertThat(get("/version").ok().text()).isNotBlank();
        assertThat(get("/getCpuCount").ok().json().asInt()).isPositive();
        assertThat(get("/getWorkerCount").ok().json().asInt()).isEqualTo(1);
        assertThat(metakv.nodes().block()).anySatisfy(node -> {
            assertThat(node.id()).isEqualTo("node-1");
            assertThat(node.service()).isEqualTo("eventing");
        });
    }

    @Test
    void description_knowsEveryPath() {
        JsonNode paths = JSON.readTree(get("/v3/api-docs").text()).get("paths");

        assertThat(paths.propertyNames())
                .contains(
                        "/api/v1/functions",
                        "/api/v1/functions/{name}",
                        "/api/v1/functions/{name}/deploy",
                        "/api/v1/status",
                        "/getAppLog");
        assertThat(paths.at("/~1api~1v1~1functions~1{name}/get/parameters/0/name")
                        .asString())
                .isEqualTo("name");
        assertThat(get("/actuator/health/liveness").status()).isEqualTo(200);
        await().until(() -> get("/actuator/health/readiness").status() == 200);
    }
}
