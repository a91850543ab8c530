package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Bad input gets its documented error and changes nothing. */
class BadInputWebTest extends WebTest {

    private String before = "";

    @BeforeEach
    void withOneFunction() {
        create("f");
        before = everything();
    }

    private JsonNode refused(Answer answer, int status, String name, int code) {
        JsonNode description = answer.error(status, name, code);
        assertThat(everything()).isEqualTo(before);
        return description;
    }

    @Test
    void malformedJson_isRefusedWithItsPlace() {
        for (String path : new String[] {
            "/api/v1/functions",
            "/api/v1/functions/f",
            "/api/v1/functions/f/settings",
            "/api/v1/functions/f/config",
            "/api/v1/import",
            "/api/v1/config"
        }) {
            assertThat(refused(post(path, "{\"appname\":\n \"f\" \"x\"}"), 400, "ERR_UNMARSHAL_PLD", 16)
                            .asString())
                    .contains("line 2");
            refused(post(path, null), 400, "ERR_UNMARSHAL_PLD", 16);
            refused(post(path, "17"), 400, "ERR_UNMARSHAL_PLD", 16);
        }
        refused(post("/api/v1/functions/f/deploy", "{"), 400, "ERR_UNMARSHAL_PLD", 16);
    }

    @Test
    void mediaTypeThatNoAnswerHas_isRefusedInTheWordsOfTheService() {
        assertThat(refused(getAs("application/xml", "/api/v1/config"), 406, "ERR_INVALID_REQUEST", 63)
                        .asString())
                .contains("application/json");
    }

    @Test
    void invalidName_isRefused() {
        refused(post("/api/v1/functions/_f", definition("_f").toString()), 400, "ERR_INVALID_CONFIG", 38);
        refused(
                post(
                        "/api/v1/functions/" + "x".repeat(101),
                        definition("x".repeat(101)).toString()),
                400,
                "ERR_INVALID_CONFIG",
                38);
        refused(post("/api/v1/functions/g", definition("f").toString()), 422, "ERR_APPNAME_MISMATCH", 29);
    }

    @Test
    void codeThatDoesNotParse_isRefusedWithLineAndColumn() {
        String code = "function OnUpdate(doc, meta) {\n  var x = ;\n}";

        for (Answer answer : new Answer[] {
            post("/api/v1/functions/f", definition("f").put("appcode", code).toString()),
            post("/api/v1/functions/new", definition("new").put("appcode", code).toString()),
            post("/api/v1/functions/f/appcode", code)
        }) {
            JsonNode description = refused(answer, 422, "ERR_HANDLER_COMPILATION", 27);
            assertThat(description.get("compile_success").asBoolean()).isFalse();
            assertThat(description.get("language").asString()).isEqualTo("JavaScript");
            assertThat(description.get("line_number").asInt()).isEqualTo(2);
            assertThat(description.get("column_number").asInt()).isEqualTo(11);
            assertThat(description.get("description").asString()).isNotBlank();
            assertThat(description.get("area").asString()).isEqualTo("handlerCode");
        }
    }

    @Test
    void codeWithoutAnEntryPoint_isRefused() {
        refused(post("/api/v1/functions/f/appcode", "function helper() {}"), 422, "ERR_HANDLER_COMPILATION", 27);
    }

    @Test
    void largeCode_isRefused() {
        // it does not get smaller when it is compressed
        String code = "function OnUpdate(doc, meta) {}\n//"
                + new Random(1)
                        .ints(200_000, 'A', 'z')
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());

        refused(post("/api/v1/functions/f/appcode", code), 400, "ERR_APPCODE_SIZE", 39);
        refused(
                post("/api/v1/functions/f", definition("f").put("appcode", code).toString()),
                400,
                "ERR_APPCODE_SIZE",
                39);
    }

    @Test
    void hugeBody_isRefused() {
        String body = " ".repeat(HttpConfiguration.MAX_BODY_BYTES + 1);

        refused(post("/api/v1/functions/f/appcode", body), 400, "ERR_READ_REQ", 15);
    }

    @Test
    void aPageOfAnotherSite_isRefusedInCouchbasesWords() {
        String before = everything();

        askFromAnotherSite(HttpMethod.POST, "/api/v1/functions/f/deploy").error(403, "ERR_FORBIDDEN", 60);
        askFromAnotherSite(HttpMethod.DELETE, "/api/v1/functions/f").error(403, "ERR_FORBIDDEN", 60);
        askFromAnotherSite(HttpMethod.GET, "/api/v1/functions").error(403, "ERR_FORBIDDEN", 60);

        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void bodyThatIsNotText_isRefused() {
        byte[] latin1 = "function OnUpdate() { log('ä'); }".getBytes(StandardCharsets.ISO_8859_1);

        refused(askBytes("/api/v1/functions/f/appcode", latin1), 400, "ERR_READ_REQ", 15);
    }

    @Test
    void unknownSetting_isNamed() {
        assertThat(refused(
                                post("/api/v1/functions/f/settings", settings("wroker_count", 2)),
                                400,
                                "ERR_INVALID_CONFIG",
                                38)
                        .asString())
                .contains("'wroker_count'");
        ObjectNode json = definition("f");
        ((ObjectNode) json.get("settings")).put("wroker_count", 2);
        refused(post("/api/v1/functions/f", json.toString()), 400, "ERR_INVALID_CONFIG", 38);
        refused(post("/api/v1/functions/f/deploy", settings("wroker_count", 2)), 400, "ERR_INVALID_CONFIG", 38);
    }

    @Test
    void settingOutOfRange_isNamedWithItsRange() {
        assertThat(refused(
                                post("/api/v1/functions/f/settings", settings("worker_count", 1000)),
                                400,
                                "ERR_INVALID_CONFIG",
                                38)
                        .asString())
                .contains("worker_count", "1000", "from 1 to 64");
    }

    @Test
    void sourceAsMetadata_isRefused() {
        refused(
                post("/api/v1/functions/f/config", "{\"source_bucket\": \"src\", \"metadata_bucket\": \"src\"}"),
                422,
                "ERR_SRC_MB_SAME",
                17);
    }

    @Test
    void badAlias_isRefused() {
        refused(post("/api/v1/functions/f/config", """
            {"source_bucket": "src", "metadata_bucket": "meta",
             "buckets": [{"alias": "not an identifier", "bucket_name": "dst"}]}\
            """), 400, "ERR_INVALID_CONFIG", 38);
    }

    @Test
    void unknownBucket_isRefusedAtDeployment() {
        ObjectNode json = definition("f");
        ((ObjectNode) json.get("depcfg")).put("source_bucket", "nope");
        post("/api/v1/functions/f", json.toString()).ok();
        before = everything();

        refused(post("/api/v1/functions/f/deploy", null), 400, "ERR_BUCKET_MISSING", 41);
    }

    @Test
    void aBucketOfTheSystem_isRefused() {
        for (String place : List.of("source_bucket", "metadata_bucket")) {
            ObjectNode json = definition("f");
            ((ObjectNode) json.get("depcfg")).put(place, "_metakv");
            refusedWhenSaved(json);
        }
        for (String access : List.of("r", "rw")) {
            ObjectNode json = definition("f");
            ((ObjectNode) json.at("/depcfg/buckets/0"))
                    .put("bucket_name", "_metakv")
                    .put("access", access);
            refusedWhenSaved(json);
        }
    }

    private void refusedWhenSaved(ObjectNode definition) {
        refused(post("/api/v1/functions/f", definition.toString()), 403, "ERR_FORBIDDEN", 60);
    }

    @Test
    void badQuery_isRefused() {
        refused(get("/getAppLog"), 400, "ERR_INVALID_REQUEST", 63);
        refused(get("/getAppLog?name=f&size=lots"), 400, "ERR_INVALID_REQUEST", 63);
        refused(get("/getAppLog?name=f&size=0"), 400, "ERR_INVALID_REQUEST", 63);
        refused(get("/api/v1/stats?type=x"), 400, "ERR_INVALID_REQUEST", 63);
        refused(get("/api/v1/functions/f?bucket=src"), 400, "ERR_INVALID_CONFIG", 38);
    }

    @Test
    void unknownOption_isNamed() {
        assertThat(refused(post("/api/v1/config", settings("rma_quota", 2)), 400, "ERR_INVALID_CONFIG", 38)
                        .asString())
                .contains("'rma_quota'");
        refused(post("/api/v1/config", settings("num_nodes_running", 0)), 400, "ERR_INVALID_CONFIG", 38);
        refused(delete("/api/v1/config"), 400, "ERR_INVALID_REQUEST", 63);
    }

    @Test
    void unknownPath_isNotFound() {
        assertThat(get("/api/v1/nope").status()).isEqualTo(404);
        assertThat(ask(HttpMethod.GET, "/nope", null).status()).isEqualTo(404);
    }
}
