package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.runtime.DeployRejected;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class LifecycleWebTest extends WebTest {

    private static final int AT_ONCE = 30;

    @Test
    void wholeLife_isReportedByTheStatus() {
        create("f");
        JsonNode answer = post("/api/v1/functions/f/deploy", null).ok().json();
        assertThat(answer.at("/info/composite_status").asString()).isEqualTo("deploying");
        awaitStatus("f", "deployed");

        JsonNode status = get("/api/v1/status").ok().json();
        assertThat(status.at("/num_eventing_nodes").asInt()).isEqualTo(1);
        assertThat(status.at("/apps/0/name").asString()).isEqualTo("f");
        assertThat(status.at("/apps/0/deployment_status").asBoolean()).isTrue();
        assertThat(status.at("/apps/0/processing_status").asBoolean()).isTrue();
        assertThat(status.at("/apps/0/num_deployed_nodes").asInt()).isEqualTo(1);
        assertThat(status.at("/apps/0/num_bootstrapping_nodes").asInt()).isZero();
        assertThat(get("/getDeployedApps").ok().json().has("f")).isTrue();
        assertThat(get("/getRunningApps").ok().json().has("f")).isTrue();
        assertThat(get("/getBootstrappingApps").ok().json()).isEmpty();
        assertThat(get("/getPausingApps").ok().json()).isEmpty();

        pause("f");
        JsonNode settings = get("/api/v1/functions/f/settings").json();
        assertThat(settings.get("deployment_status").asBoolean()).isTrue();
        assertThat(settings.get("processing_status").asBoolean()).isFalse();
        post("/api/v1/functions/f/resume", null).ok();
        awaitStatus("f", "deployed");
        post("/api/v1/functions/f/undeploy", null).ok();
        awaitStatus("f", "undeployed");
    }

    /** Starts may take long, and end in any order. */
    @Test
    void functionsDeployedByAsManyRequestsAtOnce_areAllDeployed() {
        List<String> names = IntStream.range(0, AT_ONCE).mapToObj(i -> "f" + i).toList();
        names.forEach(this::create);
        Map<String, CompletableFuture<Void>> starts = new ConcurrentHashMap<>();
        runtime.onStart(spec -> starts.computeIfAbsent(spec.name(), name -> new CompletableFuture<>()));

        List<CompletableFuture<Answer>> answers = names.stream()
                .map(name -> CompletableFuture.supplyAsync(
                        () -> post("/api/v1/functions/" + name + "/deploy", null), Thread::startVirtualThread))
                .toList();

        answers.forEach(answer -> answer.join().ok());
        await().untilAsserted(() -> assertThat(starts).containsOnlyKeys(names));
        assertThat(get("/getBootstrappingApps").ok().json()).hasSize(AT_ONCE);
        starts.forEach((name, start) -> start.complete(null));
        names.forEach(name -> awaitStatus(name, "deployed"));
        assertThat(get("/getDeployedApps").ok().json()).hasSize(AT_ONCE);
    }

    @Test
    void wrongOrder_isRefusedAndChangesNothing() {
        create("f");
        refused("f", "undeploy", 406, "ERR_APP_NOT_DEPLOYED", 12);
        refused("f", "pause", 400, "ERR_INVALID_REQUEST", 63);
        deploy("f");
        refused("f", "deploy", 422, "ERR_APP_ALREADY_DEPLOYED", 20);
        refused("f", "resume", 422, "ERR_APP_ALREADY_DEPLOYED", 20);
        pause("f");
        refused("f", "pause", 422, "ERR_APP_PAUSED", 64);
    }

    private void refused(String name, String request, int status, String error, int code) {
        String before = everything();
        JsonNode description =
                post("/api/v1/functions/%s/%s".formatted(name, request), null).error(status, error, code);
        assertThat(description.asString()).startsWith("Invalid operation. Function: " + name);
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void whileDeploying_everyRequestIsRefused() {
        create("f");
        runtime.onStart(spec -> new CompletableFuture<>());
        post("/api/v1/functions/f/deploy", null).ok();

        for (String request : new String[] {"deploy", "undeploy", "pause", "resume"}) {
            post("/api/v1/functions/f/" + request, null).error(400, "ERR_INVALID_REQUEST", 63);
        }
        post("/api/v1/functions/f/settings", settings("log_level", "DEBUG")).error(400, "ERR_INVALID_REQUEST", 63);
        delete("/api/v1/functions/f").error(422, "ERR_APP_NOT_UNDEPLOYED", 22);
        assertThat(get("/getBootstrappingApps").ok().json().has("f")).isTrue();
        JsonNode app = get("/api/v1/status/f").json().get("app");
        assertThat(app.get("composite_status").asString()).isEqualTo("deploying");
        assertThat(app.get("num_bootstrapping_nodes").asInt()).isEqualTo(1);
    }

    @Test
    void unknownFunction_isNotFound() {
        post("/api/v1/functions/nope/deploy", null).error(400, "ERR_APP_NOT_FOUND", 53);
        post("/api/v1/functions/nope/pause", null).error(400, "ERR_APP_NOT_FOUND", 53);
        get("/api/v1/status/nope").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        get("/api/v1/functions/nope").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        get("/api/v1/functions/nope/settings").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        post("/api/v1/functions/nope/settings", "{}").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        get("/api/v1/stats/nope").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        get("/getAppLog?name=nope").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        assertThat(get("/api/v1/functions").json()).isEmpty();
    }

    @Test
    void wrongMethod_isNotAllowed() {
        create("f");

        get("/api/v1/functions/f/deploy").error(405, "ERR_METHOD_NOT_ALLOWED", 62);
        ask(HttpMethod.PUT, "/api/v1/functions/f", "{}").error(405, "ERR_METHOD_NOT_ALLOWED", 62);
        post("/api/v1/status", "").error(405, "ERR_METHOD_NOT_ALLOWED", 62);
    }

    @Test
    void flagsInSettings_moveTheFunctionToo() {
        create("f");

        post("/api/v1/functions/f/settings", "{\"deployment_status\": true, \"processing_status\": true}")
                .ok();
        awaitStatus("f", "deployed");
        post("/api/v1/functions/f/settings", "{\"deployment_status\": true, \"processing_status\": true}")
                .ok();
        post("/api/v1/functions/f/settings", "{\"deployment_status\": true, \"processing_status\": false}")
                .ok();
        awaitStatus("f", "paused");
        post("/api/v1/functions/f/settings", "{\"deployment_status\": false, \"processing_status\": false}")
                .ok();
        awaitStatus("f", "undeployed");
        post("/api/v1/functions/f/settings", "{\"deployment_status\": true, \"processing_status\": false}")
                .error(400, "ERR_INVALID_REQUEST", 63);
        post("/api/v1/functions/f/settings", "{\"deployment_status\": true}")
                .error(400, "ERR_PROCESSING_OR_DEPLOYMENT_STATUS_NOT_FOUND", 23);
    }

    @Test
    void flagsInADefinition_deployIt() {
        ObjectNode json = definition("f");
        ((ObjectNode) json.get("settings")).put("deployment_status", true).put("processing_status", true);

        post("/api/v1/functions/f", json.toString()).ok();

        awaitStatus("f", "deployed");
    }

    @Test
    void newFunction_cannotBeginPaused() {
        ObjectNode json = definition("f");
        ((ObjectNode) json.get("settings")).put("deployment_status", true).put("processing_status", false);

        post("/api/v1/functions/f", json.toString()).error(400, "ERR_INVALID_REQUEST", 63);

        assertThat(get("/api/v1/functions").json()).isEmpty();
    }

    @Test
    void deploy_takesSettings() {
        create("f");

        post("/api/v1/functions/f/deploy", settings("dcp_stream_boundary", "from_now"))
                .ok();

        awaitStatus("f", "deployed");
        assertThat(runtime.spec("f").orElseThrow().source().boundary().name()).isEqualTo("FROM_NOW");
    }

    @Test
    void failedDeployment_showsItsReason() {
        create("f");
        runtime.onStart(spec -> CompletableFuture.failedFuture(new DeployRejected("x is not defined", 2, 5)));

        post("/api/v1/functions/f/deploy", null).ok();

        awaitStatus("f", "undeployed");
        JsonNode failure = get("/api/v1/status/f").json().at("/app/failure");
        assertThat(failure.get("message").asString()).isEqualTo("x is not defined");
        assertThat(failure.get("line").asInt()).isEqualTo(2);
        assertThat(get("/getAppLog?name=f").ok().text()).contains("x is not defined (line 2, column 5)");
    }

    @Test
    void deployedFunction_mayOnlyChangeALittle() {
        create("f");
        deploy("f");

        post("/api/v1/functions/f/settings", settings("worker_count", 2)).error(400, "ERR_INVALID_REQUEST", 63);
        post("/api/v1/functions/f/appcode", "function OnDelete(meta) {}").error(400, "ERR_INVALID_REQUEST", 63);
        post("/api/v1/functions/f/config", "{\"source_bucket\": \"src\", \"metadata_bucket\": \"meta\"}")
                .error(400, "ERR_INVALID_REQUEST", 63);
        post(
                        "/api/v1/functions/f",
                        definition("f")
                                .put("appcode", "function OnDelete(meta) {}")
                                .toString())
                .error(400, "ERR_INVALID_REQUEST", 63);
        post("/api/v1/functions/f", definition("f").toString()).ok();
        post("/api/v1/functions/f/settings", settings("description", "still running"))
                .ok();

        assertThat(status("f")).isEqualTo("deployed");
    }

    @Test
    void pausedFunction_mayChangeButNotItsKeyspaces() {
        create("f");
        deploy("f");
        pause("f");

        post("/api/v1/functions/f/appcode", "function OnDelete(meta) {}").ok();
        post("/api/v1/functions/f/settings", settings("worker_count", 2)).ok();
        post("/api/v1/functions/f/settings", settings("dcp_stream_boundary", "from_now"))
                .error(400, "ERR_INVALID_REQUEST", 63);
        post("/api/v1/functions/f/config", "{\"source_bucket\": \"other\", \"metadata_bucket\": \"meta\"}")
                .error(400, "ERR_INVALID_REQUEST", 63);
        post("/api/v1/functions/f/resume", null).ok();
        awaitStatus("f", "deployed");

        assertThat(runtime.spec("f").orElseThrow().code()).isEqualTo("function OnDelete(meta) {}");
        assertThat(runtime.spec("f").orElseThrow().workers().count()).isEqualTo(2);
    }

    @Test
    void editTogetherWithAPause_isAccepted() {
        create("f");
        deploy("f");
        ObjectNode json = definition("f").put("appcode", "function OnDelete(meta) {}");
        ((ObjectNode) json.get("settings")).put("deployment_status", true).put("processing_status", false);

        post("/api/v1/functions/f", json.toString()).ok();

        awaitStatus("f", "paused");
        assertThat(get("/api/v1/functions/f/appcode").text()).isEqualTo("function OnDelete(meta) {}");
    }

    @Test
    void missingKeyspaces_areNamedAtDeployment() {
        ObjectNode bucket = definition("b");
        ((ObjectNode) bucket.get("depcfg")).put("source_bucket", "nope");
        post("/api/v1/functions/b", bucket.toString()).ok();
        ObjectNode collection = definition("c");
        ((ObjectNode) collection.at("/depcfg/buckets/0")).put("collection_name", "nope");
        post("/api/v1/functions/c", collection.toString()).ok();

        assertThat(post("/api/v1/functions/b/deploy", null)
                        .error(400, "ERR_BUCKET_MISSING", 41)
                        .asString())
                .contains("'nope'");
        assertThat(post("/api/v1/functions/c/deploy", null)
                        .error(400, "ERR_COLLECTION_MISSING", 56)
                        .asString())
                .contains("dst._default.nope");
        assertThat(status("b")).isEqualTo("undeployed");
    }

    @Test
    void recursion_isRefusedUntilItIsAllowed() {
        create("a");
        deploy("a");
        ObjectNode back = definition("b");
        ((ObjectNode) back.get("depcfg")).put("source_bucket", "dst");
        ((ObjectNode) back.at("/depcfg/buckets/0")).put("bucket_name", "src");
        post("/api/v1/functions/b", back.toString()).ok();

        assertThat(post("/api/v1/functions/b/deploy", null)
                        .error(400, "ERR_INTER_BUCKET_RECURSION", 51)
                        .asString())
                .contains("b -> a -> b");
        post("/api/v1/config", settings("allow_interbucket_recursion", true)).ok();

        post("/api/v1/functions/b/deploy", null).ok();
        awaitStatus("b", "deployed");
    }

    @Test
    void twoWritersToOneSource_areRefused() {
        for (String name : new String[] {"a", "b"}) {
            ObjectNode json = definition(name);
            ((ObjectNode) json.at("/depcfg/buckets/0")).put("bucket_name", "src");
            post("/api/v1/functions/" + name, json.toString()).ok();
        }
        deploy("a");

        post("/api/v1/functions/b/deploy", null).error(400, "ERR_INTER_FUNCTION_RECURSION", 50);
    }

    @Test
    void withoutMetakv_readsAreAnsweredAndWritesRefused() {
        create("f");
        metakv.setAway(true);

        JsonNode description = post("/api/v1/functions/f/deploy", null).error(503, "ERR_METAKV_WRITE_FAILED", 54);
        assertThat(description.asString()).contains("Check that metakv-service is running, then try again.");
        post("/api/v1/functions/g", definition("g").toString()).error(503, "ERR_METAKV_WRITE_FAILED", 54);
        assertThat(status("f")).isEqualTo("undeployed");
        get("/api/v1/functions/g").error(404, "ERR_APP_NOT_FOUND_TS", 13);

        metakv.setAway(false);
        deploy("f");
    }

    @Test
    void metakvThatIsAwayDuringADeployment_isWaitedFor() {
        create("f");
        CompletableFuture<Void> started = new CompletableFuture<>();
        runtime.onStart(spec -> started);
        post("/api/v1/functions/f/deploy", null).ok();
        await().until(() -> runtime.running().contains("f"));

        metakv.setAway(true);
        started.complete(null);
        await().until(() -> started.getNumberOfDependents() == 0);
        assertThat(status("f")).isEqualTo("deploying");
        metakv.setAway(false);

        awaitStatus("f", "deployed");
        assertThat(runtime.calls("f")).doesNotContain("stop", "remove");
    }
}
