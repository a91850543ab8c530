package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Limits;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Invalid requests get their documented errors through the gateway and change nothing. */
class BadInputIT {

    private static final String CODE = "function OnUpdate(doc, meta) { bad_target[meta.id] = doc; }";

    private final Api api = new Api(RunningSuite.gateway());

    @BeforeEach
    void buckets() {
        api.bucket("eventing");
        api.bucket("bad_source");
        api.bucket("bad_target");
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void malformedJson_isRefusedAndLeavesTheDocument() {
        String path = Api.document("bad_source", "malformed");
        api.put(path, "{\"n\":1}").succeeded();

        Api.Answer answer = api.put(path, "{\"n\":");

        documentError(answer, 400, "invalid_json");
        assertThat(api.get(path).body()).isEqualTo("{\"n\":1}");
    }

    @Test
    void wrongCas_isRefusedAndLeavesTheDocument() {
        String path = Api.document("bad_source", "cas");
        String old = api.put(path, "{\"n\":1}").succeeded().etag();
        api.put(path, "{\"n\":2}").succeeded();

        Api.Answer answer = api.put(path, "{\"n\":3}", "If-Match", old);

        documentError(answer, 412, "precondition_failed");
        assertThat(api.get(path).body()).isEqualTo("{\"n\":2}");
    }

    @Test
    void unknownBucket_isNotFound() {
        documentError(api.put(Api.document("no_such", "d"), "{}"), 404, "bucket_not_found");
        documentError(api.get("/api/v1/buckets/no_such"), 404, "bucket_not_found");
    }

    @Test
    void oversizedDocument_isRefusedAndNotStored() {
        String path = Api.document("bad_source", "large");
        String large = "\"" + "x".repeat(Limits.MAX_DOCUMENT_BYTES) + "\"";

        documentError(api.put(path, large), 413, "document_too_large");
        assertThat(api.get(path).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"_begins_wrong", "has%20space", "ha$"})
    void anInvalidFunctionName_isRefused(String name) {
        String decoded = name.replace("%20", " ");

        functionError(api.post("/api/v1/functions/" + name, definition(decoded, CODE)), 400, "ERR_INVALID_CONFIG");
    }

    @Test
    void unparsableCode_isRefusedWithLineAndColumn() {
        String code = "function OnUpdate(doc, meta) {\n  let x = ;\n}";

        JsonNode error = functionError(
                api.post("/api/v1/functions/bad_code", definition("bad_code", code)), 422, "ERR_HANDLER_COMPILATION");

        assertThat(error.at("/description/line_number").asInt(0)).isEqualTo(2);
        assertThat(error.at("/description/column_number").asInt(0)).isEqualTo(11);
        assertThat(api.get("/api/v1/functions/bad_code").status()).isEqualTo(404);
    }

    @Test
    void unknownSetting_isRefusedAndLeavesTheSettings() {
        api.post("/api/v1/functions/bad_setting", definition("bad_setting", CODE))
                .succeeded();
        String before = api.get("/api/v1/functions/bad_setting/settings").body();

        functionError(
                api.post("/api/v1/functions/bad_setting/settings", "{\"worker_cont\": 2}"), 400, "ERR_INVALID_CONFIG");

        assertThat(api.get("/api/v1/functions/bad_setting/settings").body()).isEqualTo(before);
        api.delete("/api/v1/functions/bad_setting").succeeded();
    }

    @Test
    void invalidLifecycleTransition_isRefusedAndLeavesTheState() {
        api.post("/api/v1/functions/bad_order", definition("bad_order", CODE)).succeeded();

        functionError(api.post("/api/v1/functions/bad_order/pause", ""), 400, "ERR_INVALID_REQUEST");
        functionError(api.post("/api/v1/functions/bad_order/undeploy", ""), 406, "ERR_APP_NOT_DEPLOYED");

        api.awaitStatus("bad_order", "undeployed");
        api.delete("/api/v1/functions/bad_order").succeeded();
    }

    @Test
    void unknownFunction_isNotFound() {
        functionError(api.get("/api/v1/functions/no_such"), 404, "ERR_APP_NOT_FOUND_TS");
        functionError(api.post("/api/v1/functions/no_such/deploy", ""), 400, "ERR_APP_NOT_FOUND");
    }

    private static String definition(String name, String code) {
        return Definitions.function(name, code, "bad_source", "eventing", "bad_target", Map.of());
    }

    private static void documentError(Api.Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().path("code").asString("")).isEqualTo(code);
        assertThat(answer.json().path("detail").asString("")).isNotBlank();
        assertThat(answer.json().path("action").asString("")).isNotBlank();
    }

    private static JsonNode functionError(Api.Answer answer, int status, String name) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().path("name").asString("")).isEqualTo(name);
        return answer.json();
    }
}
