package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.runtime.CanaryReport;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every save is a version: listed, shown, compared, restored. */
class VersionsWebTest extends WebTest {

    private static final String CANARY = "/api/v1/functions/f/canary";
    private static final String VERSIONS = "/api/v1/functions/f/versions";

    private static ObjectNode counting(int by) {
        return definition("f")
                .put(
                        "appcode",
                        "function OnUpdate(doc, meta) {\n  doc.n += %d;\n  dst[meta.id] = doc;\n}".formatted(by));
    }

    private void save(ObjectNode definition, String query) {
        post("/api/v1/functions/f" + query, definition.toString()).ok();
    }

    private String code() {
        return get("/api/v1/functions/f/appcode").text();
    }

    private long version() {
        return get("/api/v1/status/f").ok().json().at("/app/version").asLong();
    }

    @Test
    void everySaveThatChangesSomething_isAVersion() {
        save(counting(1), "?note=first+try");
        save(counting(1), "?note=nothing+new");
        post("/api/v1/functions/f/settings?note=louder", settings("log_level", "DEBUG"))
                .ok();
        save(counting(2).set("settings", JSON.readTree("{\"log_level\": \"DEBUG\", \"worker_count\": 1}")), "");
        deploy("f");

        JsonNode versions = get(VERSIONS).json().path("versions");

        assertThat(versions.valueStream().map(row -> row.path("version").asLong()))
                .containsExactly(3L, 2L, 1L);
        assertThat(versions.valueStream().map(row -> row.path("note").asString()))
                .containsExactly("", "louder", "first try");
        assertThat(versions.at("/0/changed").toString()).isEqualTo("[\"code\"]");
        assertThat(versions.at("/1/changed").toString()).isEqualTo("[\"settings\"]");
        assertThat(versions.path(2).has("changed")).isFalse();
        assertThat(versions.at("/0/current").asBoolean()).isTrue();
        assertThat(versions.at("/1/current").asBoolean()).isFalse();
        assertThat(versions.at("/0/author").asString()).isEqualTo("anonymous");
        assertThat(version()).isEqualTo(3);
    }

    @Test
    void list_isReadInPages() {
        for (int i = 1; i <= 5; i++) {
            save(counting(i), "");
        }

        JsonNode first = get(VERSIONS + "?limit=2").json();
        JsonNode second =
                get(VERSIONS + "?limit=2&before=" + first.path("next")).json();
        JsonNode last = get(VERSIONS + "?limit=2&before=" + second.path("next")).json();

        assertThat(first.at("/versions/1/version").asLong()).isEqualTo(4);
        assertThat(second.at("/versions/1/version").asLong()).isEqualTo(2);
        assertThat(last.path("versions")).hasSize(1);
        assertThat(last.has("next")).isFalse();
    }

    @Test
    void formerVersion_isShownAsItWas() {
        save(counting(1), "");
        save(counting(2), "");

        JsonNode shown = get(VERSIONS + "/1").json();

        assertThat(shown.at("/definition/appcode").asString()).contains("doc.n += 1");
        assertThat(shown.at("/version").asLong()).isEqualTo(1);
        get(VERSIONS + "/9").problem(404, "version_not_found");
        get("/api/v1/functions/g/versions/1").problem(404, "function_not_found");
    }

    @Test
    void diff_saysWhatChanged() {
        save(counting(1), "");
        ObjectNode other = counting(2);
        ((ObjectNode) other.at("/depcfg/buckets/0")).put("access", "r");
        ((ObjectNode) other.path("settings")).put("execution_timeout", 5);
        save(other, "");

        JsonNode diff = get(VERSIONS + "/2/diff").json();

        assertThat(diff.path("code").asString()).isEqualTo("""
                    --- handler.js\tversion 1
                    +++ handler.js\tversion 2
                    @@ -1,4 +1,4 @@
                     function OnUpdate(doc, meta) {
                    -  doc.n += 1;
                    +  doc.n += 2;
                       dst[meta.id] = doc;
                     }
                    """);
        assertThat(diff.at("/bindings/0/binding").asString()).isEqualTo("buckets/dst");
        assertThat(diff.at("/bindings/0/before/access").asString()).isEqualTo("rw");
        assertThat(diff.at("/settings").toString())
                .isEqualTo("[{\"setting\":\"execution_timeout\",\"before\":60,\"after\":5}]");
        assertThat(get(VERSIONS + "/1/diff?from=2")
                        .json()
                        .at("/settings/0/after")
                        .asInt())
                .isEqualTo(60);
        get(VERSIONS + "/1/diff").problem(404, "version_not_found");
    }

    @Test
    void typeScript_isKeptAsItWasWritten() {
        String typed = "interface Order { n: number }\nfunction OnUpdate(doc: Order, meta: EventMeta): void {\n}\n";
        ObjectNode definition = counting(1).put("appcode", typed);
        save(counting(1), "");
        post("/api/v1/functions/f", definition.toString()).error(422, "ERR_HANDLER_COMPILATION", 27);
        ((ObjectNode) definition.path("settings")).put("language", "typescript");
        save(definition, "");

        assertThat(code()).isEqualTo(typed);
        assertThat(get(VERSIONS + "/2/diff").json().path("code").asString()).startsWith("--- handler.ts\tversion 1");
        JsonNode mistaken = post(
                        "/api/v1/functions/f",
                        definition
                                .put("appcode", typed + "function g(a: number {}")
                                .toString())
                .error(422, "ERR_HANDLER_COMPILATION", 27);
        assertThat(mistaken.findValue("line_number").asInt()).isEqualTo(4);
        post("/api/v1/functions/f/versions/1/rollback", "").ok();
        assertThat(code()).contains("doc.n += 1");
        post("/api/v1/functions/f/versions/2/rollback", "").ok();
        assertThat(code()).isEqualTo(typed);
    }

    @Test
    void constantsOfEnv_areShownExportedAndCompared() {
        ObjectNode definition = counting(1);
        ((ObjectNode) definition.path("settings")).putObject("env").put("RATE", 0.19);
        save(definition, "");
        post("/api/v1/functions/f/settings", "{\"env\": {\"RATE\": 0.07, \"TRIES\": 3}}")
                .ok();

        JsonNode diff = get(VERSIONS + "/2/diff").json();

        assertThat(diff.at("/settings").toString())
                .isEqualTo("[{\"setting\":\"env\",\"before\":{\"RATE\":0.19},\"after\":{\"RATE\":0.07,\"TRIES\":3}}]");
        assertThat(get("/api/v1/export").json().at("/0/settings/env").toString())
                .isEqualTo("{\"RATE\":0.07,\"TRIES\":3}");
        assertThat(get("/api/v1/functions/f/types").text()).contains("declare const RATE: number;");
        assertThat(post("/api/v1/functions/f/settings", "{\"env\": {\"dst\": 1}}")
                        .text())
                .contains("Constant 'dst' of env has the name of a binding; rename one of them.");
    }

    @Test
    void swap_isTakenWithoutAPause_andWhatNeedsOneIsRefusedInWords() {
        String swap = "/api/v1/functions/f?swap=true";
        assertThat(post(swap, counting(1).toString())
                        .error(404, "ERR_APP_NOT_FOUND_TS", 13)
                        .asString())
                .contains("f");
        save(counting(1), "");
        assertThat(refused(swap, counting(2))).contains("is in undeployed state; only a function that is deployed");
        deploy("f");
        runtime.onSwap(spec -> CompletableFuture.completedFuture(null));

        post(swap + "&note=live", counting(2).toString()).ok();
        await().atMost(Duration.ofSeconds(60)).until(() -> version() == 2);

        assertThat(runtime.calls("f")).containsExactly("start", "swap");
        assertThat(refused(swap, counting(3).put("appcode", "function OnUpdate() {}\nfunction OnDeploy() {}")))
                .contains("the code has OnDeploy", "deploy it");
        ObjectNode workers = counting(3);
        workers.putObject("settings").put("worker_count", 3);
        assertThat(refused(swap, workers)).contains("the settings differ in worker_count");
        ObjectNode bindings = counting(3);
        ((ObjectNode) bindings.path("depcfg")).putArray("buckets");
        assertThat(refused(swap, bindings)).contains("its bindings or keyspaces differ");
        assertThat(refused(swap + "&restart=true", counting(3))).contains("send one of them");
        assertThat(version()).isEqualTo(2);
        assertThat(runtime.calls("f")).containsExactly("start", "swap");
    }

    private String refused(String path, ObjectNode definition) {
        return post(path, definition.toString())
                .error(400, "ERR_INVALID_REQUEST", 63)
                .asString();
    }

    @Test
    void canary_isComparedWithTheOtherVersion_andEndsByHand() {
        save(counting(1), "");
        get(CANARY).problem(400, "invalid_request");
        deploy("f");
        runtime.onCanaryReport(new CanaryReport(
                new CanaryReport.Side(640, 0, Map.of(100L, 640L), Map.of()),
                new CanaryReport.Side(10, 1, Map.of(200L, 10L), Map.of("timers", 3L))));

        JsonNode begun = post(CANARY + "?note=faster", "{\"code\": \"function OnUpdate() {}\", \"share\": 32}")
                .json();
        await().atMost(Duration.ofSeconds(60)).until(() -> get(CANARY).json().has("canary"));
        JsonNode shown = get(CANARY).json();
        JsonNode ended = post(CANARY + "/rollback?note=slower", null).json();

        assertThat(begun.path("version").asLong()).isEqualTo(2);
        assertThat(begun.path("vbuckets").asInt()).isEqualTo(32);
        assertThat(shown.path("canary").toString())
                .isEqualTo("{\"handled\":10,\"failed\":1,\"error_rate\":0.1,\"mean_micros\":200,\"p99_micros\":200,"
                        + "\"effects\":{\"timers\":3}}");
        assertThat(shown.at("/stable/handled").asLong()).isEqualTo(640);
        assertThat(ended.path("state").asString()).isEqualTo("rolled_back");
        assertThat(ended.path("reason").asString()).isEqualTo("Rolled back by anonymous: slower");
        assertThat(get(VERSIONS + "/2").json().at("/definition/appcode").asString())
                .isEqualTo("function OnUpdate() {}");
        post(CANARY + "/promote", null).problem(400, "invalid_request");
    }

    @Test
    void diffWithADefinition_saysWhatSavingWouldChange() {
        save(counting(1), "");

        JsonNode none = post("/api/v1/functions/f/diff", counting(1).toString()).json();
        JsonNode some = post("/api/v1/functions/f/diff", counting(7).toString()).json();

        assertThat(none.path("changed")).isEmpty();
        assertThat(some.path("changed").toString()).isEqualTo("[\"code\"]");
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void rollback_makesAFormerVersionTheNewest() {
        save(counting(1), "");
        save(counting(2), "");

        JsonNode answer = post(VERSIONS + "/1/rollback", null).json();

        assertThat(answer.toString()).isEqualTo("{\"version\":3,\"rolled_back_to\":1}");
        assertThat(code()).contains("doc.n += 1");
        assertThat(get(VERSIONS).json().at("/versions/0/note").asString()).isEqualTo("Rolled back to version 1");
        post(VERSIONS + "/8/rollback", null).problem(404, "version_not_found");
    }

    @Test
    void rollbackOfADeployedFunction_pausesAndResumesIt_ifAsked() {
        save(counting(1), "");
        deploy("f");
        pause("f");
        save(counting(2), "");
        post("/api/v1/functions/f/resume", null).ok();
        awaitStatus("f", "deployed");

        post(VERSIONS + "/1/rollback", null).problem(400, "invalid_request");
        assertThat(code()).contains("doc.n += 2");
        assertThat(post(VERSIONS + "/1/rollback?restart=true&note=too+fast", null)
                        .json()
                        .path("version")
                        .asLong())
                .isEqualTo(3);

        awaitVersion(3);
        assertThat(runtime.spec("f").orElseThrow().code()).contains("doc.n += 1");
        assertThat(get(VERSIONS).json().at("/versions/0/note").asString()).isEqualTo("too fast");
    }

    private void awaitVersion(long expected) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(status("f")).isEqualTo("deployed");
            assertThat(version()).isEqualTo(expected);
        });
    }

    @Test
    void saveOfADeployedFunction_takesOverWithoutAPause_ifAsked() {
        runtime.onSwap(spec -> CompletableFuture.completedFuture(null));
        save(counting(1), "");
        deploy("f");

        post("/api/v1/functions/f", counting(2).toString()).error(400, "ERR_INVALID_REQUEST", 63);
        save(counting(2), "?restart=true");

        awaitVersion(2);
        assertThat(runtime.spec("f").orElseThrow().code()).contains("doc.n += 2");
        assertThat(runtime.calls("f")).containsExactly("start", "swap");
    }

    @Test
    void deploymentOfAChangedDefinition_takesOverWithoutAPause() {
        runtime.onSwap(spec -> CompletableFuture.completedFuture(null));
        deployWith(counting(1)).ok();
        awaitVersion(1);

        deployWith(counting(2)).ok();

        awaitVersion(2);
        assertThat(runtime.spec("f").orElseThrow().code()).contains("doc.n += 2");
        assertThat(runtime.calls("f")).containsExactly("start", "swap");
        deployWith(counting(2)).error(422, "ERR_APP_ALREADY_DEPLOYED", 20);
        assertThat(version()).isEqualTo(2);
    }

    private Answer deployWith(ObjectNode definition) {
        return post("/api/v1/functions/f/deploy", definition.toString());
    }

    @Test
    void deploymentWithChangedSettings_takesThem() {
        save(counting(1), "");
        deploy("f");

        post("/api/v1/functions/f/deploy", settings("log_level", "DEBUG")).ok();
        awaitVersion(2);
        post("/api/v1/functions/f/deploy", settings("worker_count", 2)).ok();
        awaitVersion(3);

        assertThat(runtime.spec("f").orElseThrow().workers().count()).isEqualTo(2);
        post("/api/v1/functions/f/deploy", settings("worker_count", 2)).error(422, "ERR_APP_ALREADY_DEPLOYED", 20);
        post("/api/v1/functions/f/deploy", settings("dcp_stream_boundary", "from_now"))
                .error(400, "ERR_INVALID_REQUEST", 63);
    }

    @Test
    void functionThatIsCreatedAgain_startsAtVersionOne() {
        save(counting(1), "");
        save(counting(2), "");
        delete("/api/v1/functions/f").ok();
        save(counting(3), "");

        JsonNode versions = get(VERSIONS).json().path("versions");

        assertThat(versions).hasSize(1);
        assertThat(versions.at("/0/version").asLong()).isEqualTo(1);
    }

    @Test
    void noteThatIsTooLong_isRefused() {
        create("f");

        ask(
                        HttpMethod.POST,
                        "/api/v1/functions/f?note=" + "x".repeat(501),
                        counting(1).toString())
                .error(400, "ERR_INVALID_REQUEST", 63);
    }
}
