package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.metakv.MetakvEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class FunctionsWebTest extends WebTest {

    @Test
    void newFunction_isShownWithItsDefaults() {
        Answer created = post("/api/v1/functions/f", definition("f").toString()).ok();

        assertThat(created.json()).isEqualTo(JSON.readTree("{\"code\": 0, \"info\": \"Successfully stored\"}"));
        JsonNode shown = get("/api/v1/functions/f").ok().json();
        assertThat(shown.at("/appname").asString()).isEqualTo("f");
        assertThat(shown.at("/version").asString()).startsWith("evt-");
        assertThat(shown.at("/handleruuid").longValue()).isPositive().isLessThan(1L << 32);
        assertThat(shown.at("/function_instance_id").asString()).isNotEmpty();
        assertThat(shown.at("/function_scope/bucket").asString()).isEqualTo("*");
        assertThat(shown.at("/depcfg/source_scope").asString()).isEqualTo("_default");
        assertThat(shown.at("/settings/execution_timeout").asInt()).isEqualTo(60);
        assertThat(shown.at("/settings/handler_headers/0").asString()).isEqualTo("'use strict';");
        assertThat(shown.at("/settings/deployment_status").asBoolean()).isFalse();
        assertThat(status("f")).isEqualTo("undeployed");
    }

    @Test
    void functionThatIsSentTwice_isRefusedTheSecondTime() {
        JsonNode answer = post("/api/v1/functions", "[" + definition("f") + "," + definition("f") + "]")
                .ok()
                .json();

        assertThat(answer.at("/0/code").asInt()).isZero();
        assertThat(answer.at("/1/info/description").asString()).contains("more than once");
    }

    @Test
    void config_namesKeyspacesThatExist() {
        create("f");
        ObjectNode config = (ObjectNode) get("/api/v1/functions/f/config").json();

        post("/api/v1/functions/f/config", config.put("source_bucket", "none").toString())
                .error(400, "ERR_BUCKET_MISSING", 41);
        post(
                        "/api/v1/functions/f/config",
                        config.put("source_bucket", "src")
                                .put("metadata_collection", "none")
                                .toString())
                .error(400, "ERR_COLLECTION_MISSING", 56);
    }

    @Test
    void code_isMeasuredCompressed_ifTheServiceSaysSo() {
        String code = "function OnUpdate() {} //" + " spaces".repeat(40_000);
        ObjectNode large = definition("f").put("appcode", code);

        post("/api/v1/functions/f", large.toString()).ok();
        post("/api/v1/config", "{\"force_compress\": false}").ok();
        post("/api/v1/functions/f", large.toString()).error(400, "ERR_APPCODE_SIZE", 39);
    }

    @Test
    void settingsOfOtherVersions_areAccepted() {
        ObjectNode old = definition("f");
        ((ObjectNode) old.path("settings"))
                .put("enable_debugger", true)
                .put("aggDCPFeedMemCap", 1024)
                .put("num_of_workers", 3)
                .put("app_log_dir", "/opt/couchbase/var/lib/couchbase/data/@eventing")
                .put("dcp_stream_boundary", "from_prior");

        JsonNode answer = post("/api/v1/functions/f", old.toString()).ok().json();

        assertThat(answer.at("/warning_info/warnings").toString())
                .contains("from_prior", "without effect", "enable_debugger", "num_of_workers");
        assertThat(get("/api/v1/functions/f/settings")
                        .json()
                        .path("dcp_stream_boundary")
                        .asString())
                .isEqualTo("everything");
    }

    @Test
    void everyTemplate_canBeSaved() {
        JsonNode templates = get("/api/v1/templates").json();

        assertThat(templates).hasSizeGreaterThan(5);
        for (JsonNode template : templates) {
            ObjectNode saved = ((ObjectNode) template.path("definition")).set("appcode", template.path("code"));
            post("/api/v1/functions", saved.toString()).ok();
            assertThat(names()).contains(saved.path("appname").asString());
        }
    }

    @Test
    void arrayOfOne_isADefinitionToo() {
        post("/api/v1/functions/f", "[" + definition("f") + "]").ok();

        assertThat(get("/api/v1/functions/f").ok().json().at("/appname").asString())
                .isEqualTo("f");
        post("/api/v1/functions/f", "[" + definition("f") + "," + definition("f") + "]")
                .error(400, "ERR_INVALID_REQUEST", 63);
    }

    @Test
    void slashAtTheEnd_isIgnored() {
        create("f");

        get("/api/v1/functions/").ok();
        get("/api/v1/functions/f/").ok();
    }

    @Test
    void replacedFunction_keepsItsIds() {
        create("f");
        JsonNode before = get("/api/v1/functions/f").json();

        post("/api/v1/functions/f", definition("f").put("handleruuid", 5).toString())
                .ok();

        JsonNode after = get("/api/v1/functions/f").json();
        assertThat(after.at("/handleruuid")).isEqualTo(before.at("/handleruuid"));
        assertThat(after.at("/function_instance_id")).isEqualTo(before.at("/function_instance_id"));
    }

    @Test
    void warnings_comeWithTheAnswer() {
        JsonNode answer = post(
                        "/api/v1/functions/f",
                        definition("f").put("app_code", "typing mistake").toString())
                .ok()
                .json();

        assertThat(answer.at("/warning_info/warnings/0").asString()).contains("app_code");
    }

    @Test
    void severalFunctions_areAnsweredOneByOne() {
        ArrayNode body = JSON.createArrayNode();
        body.add(definition("a"));
        body.add(definition("b").put("appcode", "function OnUpdate( {"));
        body.add(definition("c"));

        JsonNode answer = post("/api/v1/functions", body.toString()).ok().json();

        assertThat(answer.at("/0/code").asInt()).isZero();
        assertThat(answer.at("/1/code").asInt()).isEqualTo(63);
        assertThat(answer.at("/1/info/name").asString()).isEqualTo("ERR_HANDLER_COMPILATION");
        assertThat(answer.at("/2/code").asInt()).isZero();
        assertThat(names()).containsExactly("a", "c");
    }

    @Test
    void scopedFunctions_areAddressedByQuery() {
        post("/api/v1/functions/f?bucket=src&scope=_default", definition("f").toString())
                .ok();
        create("f");

        assertThat(names()).containsExactlyInAnyOrder("f", "src/_default/f");
        assertThat(get("/api/v1/functions?bucket=src&scope=_default").ok().json())
                .hasSize(1);
        delete("/api/v1/functions/f?bucket=src&scope=_default").ok();
        assertThat(names()).containsExactly("f");
    }

    @Test
    void deletion_removesUndeployedFunctionsOnly() {
        create("a");
        create("b");
        deploy("b");

        JsonNode answer = delete("/api/v1/functions").ok().json();

        assertThat(answer).hasSize(2);
        assertThat(names()).containsExactly("b");
        delete("/api/v1/functions/b").error(422, "ERR_APP_NOT_UNDEPLOYED", 22);
        post("/api/v1/functions/b/undeploy", null).ok();
        awaitStatus("b", "undeployed");
        delete("/api/v1/functions/b?handleruuid=1").error(404, "ERR_APP_NOT_FOUND_TS", 13);
        delete("/api/v1/functions/b").ok();
        delete("/api/v1/functions/b").error(404, "ERR_APP_NOT_FOUND_TS", 13);
    }

    @Test
    void settings_areMerged() {
        create("f");

        post("/api/v1/functions/f/settings", "{\"worker_count\": 2, \"description\": \"d\"}")
                .ok();
        post("/api/v1/functions/f/settings", settings("log_level", "DEBUG")).ok();

        JsonNode shown = get("/api/v1/functions/f/settings").ok().json();
        assertThat(shown.get("worker_count").asInt()).isEqualTo(2);
        assertThat(shown.get("description").asString()).isEqualTo("d");
        assertThat(shown.get("log_level").asString()).isEqualTo("DEBUG");
        assertThat(shown.get("processing_status").asBoolean()).isFalse();
    }

    @Test
    void config_isReplaced() {
        create("f");

        post(
                        "/api/v1/functions/f/config",
                        "{\"source_bucket\": \"other\", \"source_collection\": \"*\", \"metadata_bucket\": \"meta\"}")
                .ok();

        JsonNode shown = get("/api/v1/functions/f/config").ok().json();
        assertThat(shown.get("source_bucket").asString()).isEqualTo("other");
        assertThat(shown.get("source_collection").asString()).isEqualTo("*");
        assertThat(shown.get("buckets")).isEmpty();
    }

    @Test
    void code_isTextInAndOut() throws Exception {
        create("f");
        String code = "function OnUpdate(doc, meta) {\n  // ünïcode\n}";

        post("/api/v1/functions/f/appcode", code).ok();

        assertThat(get("/api/v1/functions/f/appcode").ok().text()).isEqualTo(code);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(code.getBytes(StandardCharsets.UTF_8));
        assertThat(get("/api/v1/functions/f/appcode/checksum").ok().text())
                .isEqualTo(HexFormat.of().formatHex(digest));
    }

    @Test
    void secrets_areMaskedAndKeptWhenTheMaskComesBack() {
        ObjectNode json = definition("f");
        ((ObjectNode) json.get("depcfg")).set("curl", JSON.readTree("""
            [{"hostname": "https://example.org", "value": "web", "auth_type": "basic",
              "username": "u", "password": "s3cret"}]\
            """));
        post("/api/v1/functions/f", json.toString()).ok();

        JsonNode shown = get("/api/v1/functions/f").ok().json();
        assertThat(shown.at("/depcfg/curl/0/password").asString()).isEqualTo("*****");
        post("/api/v1/functions/f", shown.toString()).ok();

        assertThat(everything()).doesNotContain("s3cret");
        String stored = metakv.get("/eventing/functions/f")
                .map(MetakvEntry::text)
                .blockOptional()
                .orElseThrow();
        assertThat(stored)
                .contains("\"password_secret\":\"_")
                .doesNotContain("s3cret")
                .doesNotContain("*****");
    }

    @Test
    void exportedFunctions_canBeImportedElsewhere() {
        create("a");
        create("b");
        deploy("b");
        String exported = get("/api/v1/export").ok().text();
        post("/api/v1/functions/b/undeploy", null).ok();
        awaitStatus("b", "undeployed");
        delete("/api/v1/functions").ok();

        JsonNode answer = post("/api/v1/import", exported).ok().json();

        assertThat(answer).hasSize(2).allMatch(one -> one.get("code").asInt() == 0);
        assertThat(status("a")).isEqualTo("undeployed");
        assertThat(status("b")).isEqualTo("undeployed");
    }

    @Test
    void check_namesTheMistakesOfCodeAndSavesNothing() {
        create("f");
        String before = everything();

        JsonNode mistakes = post(
                        "/api/v1/functions/f/appcode/check", "function OnUpdate(doc, meta) {\n  let total =;\n}")
                .ok()
                .json()
                .path("mistakes");

        assertThat(mistakes).hasSize(1);
        assertThat(mistakes.at("/0/line").asInt()).isEqualTo(2);
        assertThat(mistakes.at("/0/column").asInt()).isEqualTo(14);
        assertThat(mistakes.at("/0/message").asString()).isNotEmpty();
        assertThat(post("/api/v1/functions/f/appcode/check", "function OnUpdate(doc, meta) { log(doc); }")
                        .ok()
                        .json()
                        .path("mistakes"))
                .isEmpty();
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void importedFunction_withoutSettings_takesDefaults() {
        ObjectNode json = definition("f");
        json.remove("settings");

        post("/api/v1/import", json.toString()).ok();

        assertThat(get("/api/v1/functions/f/settings")
                        .json()
                        .get("worker_count")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void import_overADeployedFunction_isRefused() {
        create("f");
        deploy("f");
        String before = everything();

        JsonNode answer =
                post("/api/v1/import", "[" + definition("f") + "]").ok().json();

        assertThat(answer.at("/0/info/name").asString()).isEqualTo("ERR_APP_NOT_UNDEPLOYED");
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void list_isFiltered() {
        create("a");
        create("b");
        deploy("b");
        ObjectNode sbm = definition("c");
        ((ObjectNode) sbm.at("/depcfg/buckets/0")).put("bucket_name", "src");
        post("/api/v1/functions/c", sbm.toString()).ok();

        assertThat(list("")).containsExactly("a", "b", "c");
        assertThat(list("?deployed=true")).containsExactly("b");
        assertThat(list("?deployed=false")).containsExactly("a", "c");
        assertThat(list("?source_bucket=src")).hasSize(3);
        assertThat(list("?source_bucket=dst")).isEmpty();
        assertThat(list("?function_type=sbm")).containsExactly("c");
        assertThat(list("?function_type=notsbm")).containsExactly("a", "b");
        assertThat(list("?curl_binding=true")).isEmpty();
        get("/api/v1/list/functions?deployed=maybe").error(400, "ERR_INVALID_REQUEST", 63);
        get("/api/v1/list/functions?function_type=x").error(400, "ERR_INVALID_REQUEST", 63);
    }

    @Test
    void dependencies_tellWhoWakesWhom() {
        ObjectNode second = definition("second");
        ((ObjectNode) second.path("depcfg")).put("source_bucket", "dst");
        ((ObjectNode) second.at("/depcfg/buckets/0")).put("bucket_name", "src").put("access", "r");
        post("/api/v1/functions/second", second.toString()).ok();
        create("first");
        deploy("first");

        JsonNode graph = get("/api/v1/dependencies").ok().json();

        assertThat(graph.at("/functions/0").toString())
                .contains("\"name\":\"first\"", "\"deployed\":true", "\"wakes\":[\"second\"]", "\"woken_by\":[]");
        assertThat(graph.at("/functions/1").toString())
                .contains("\"deployed\":false", "\"writes\":[]", "\"wakes\":[]", "\"woken_by\":[\"first\"]");
        assertThat(graph.at("/functions/1/source")).isEqualTo(graph.at("/functions/0/writes/0"));
        assertThat(graph.path("deploy_order").toString()).isEqualTo("[\"second\",\"first\"]");
        assertThat(graph.path("cycles").toString()).isEqualTo("[]");
    }

    @Test
    void changesOfAFunction_warnOfWhatTheyMeanForOthers() {
        ObjectNode second = definition("second");
        ((ObjectNode) second.path("depcfg")).put("source_bucket", "dst");
        ((ObjectNode) second.at("/depcfg/buckets/0")).put("bucket_name", "src").put("access", "r");
        post("/api/v1/functions/second", second.toString()).ok();
        create("first");
        deploy("first");
        deploy("second");

        assertThat(warnings(post("/api/v1/functions/first/pause", "").ok()))
                .isEqualTo(
                        "[\"Function: first wakes second, deployed now: no changes come from it until it runs again.\"]");
        awaitStatus("first", "paused");
        assertThat(warnings(post("/api/v1/functions/second/undeploy", "").ok()))
                .contains("Function: second is woken by first, deployed now: their changes are not handled until");
        awaitStatus("second", "undeployed");
        assertThat(warnings(delete("/api/v1/functions/second").ok()))
                .contains("Function: second is woken by first, deployed now: their changes are not handled any more");
        post("/api/v1/functions/second", second.toString()).ok();
        deploy("second");
        ObjectNode other = definition("first");
        ((ObjectNode) other.at("/depcfg/buckets/0")).put("access", "r");
        assertThat(warnings(post("/api/v1/functions/first", other.toString()).ok()))
                .contains("Function: first does not wake second any more, which is deployed.");
    }

    @Test
    void filterThatComparesStates_needsBeforeImages() {
        create("f");
        String settings = "/api/v1/functions/f/settings";

        assertThat(post(settings, "{\"filter\": \"META().old.a = 1\"}").json().toString())
                .contains("ERR_INVALID_CONFIG", "set before_image to true");
        post(settings, "{\"filter\": \"META().old.a = 1\", \"before_image\": true}")
                .ok();
        assertThat(post(settings, "{\"before_image\": false}").json().toString())
                .contains("set before_image to true");
    }

    private static String warnings(Answer answer) {
        return answer.json().at("/warning_info/warnings").toString();
    }

    private List<String> names() {
        return list("");
    }

    private List<String> list(String query) {
        return get("/api/v1/list/functions" + query)
                .ok()
                .json()
                .get("functions")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }
}
