package io.millrace.worker.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.handler.HandlerEngine;
import io.millrace.worker.bindings.QueryBinding;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Cases of functions whose source is a topic. */
class MessagesTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HandlerEngine ENGINE = HandlerEngine.start(QueryBinding::read, why -> {});

    /** Keeps what it gets below the id of the message. */
    private static final String KEEP = "function OnMessage(message, meta) { kept[meta.id] = {message, meta}; }";

    @TempDir
    private Path home;

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    @Test
    void messageOfAStream_isWhatAFunctionGets() {
        JsonNode result = single("\"source_topic\": \"paid\"", KEEP, """
                {"when": [{"message": {"content": {"total": 40}, "key": "ann", "headers": {"by": "shop"}, "id": "m1"}},
                          {"message": {"content": "text"}}],
                 "then": {"documents": {"kept": {
                   "m1": {"message": {"total": 40},
                          "meta": {"topic": "paid", "id": "m1", "key": "ann", "headers": {"by": "shop"},
                                   "entry": "1767225600000-0", "time": "2026-01-01T00:00:00.000Z"}},
                   "1767225600000-1": {"message": "text",
                          "meta": {"topic": "paid", "id": "1767225600000-1", "headers": {},
                                   "entry": "1767225600000-1", "time": "2026-01-01T00:00:00.000Z"}}}}}}""");

        assertPassed(result);
        assertThat(result.path("invocations").path(0).path("entry_point").asString())
                .isEqualTo("OnMessage");
    }

    @Test
    void messageOfKafka_hasItsPlace() {
        String code = "function OnMessage(message, meta) {"
                + " kept[meta.entry] = {partition: meta.partition, offset: meta.offset, none: message === null}; }";
        JsonNode result = single("\"source_cluster\": \"shop\", \"source_topic\": \"orders\"", code, """
                {"when": [{"message": {"content": 1, "partition": 3}}, {"message": {"content": 2}},
                          {"message": {"content": null, "partition": 3}}],
                 "then": {"documents": {"kept": {
                   "3-0": {"partition": 3, "offset": 0, "none": false},
                   "0-0": {"partition": 0, "offset": 0, "none": false},
                   "3-1": {"partition": 3, "offset": 1, "none": true}}}}}""");

        assertPassed(result);
    }

    @Test
    void bytes_areAnArrayBuffer() {
        String code = "function OnMessage(message, meta) { kept.it = {bytes: Array.from(new Uint8Array(message))}; }";
        JsonNode result = single("\"source_topic\": \"paid\"", code, """
                {"when": [{"message": {"base64": "AP8="}}], "then": {"documents": {"kept": {"it": {"bytes": [0, 255]}}}}}""");

        assertPassed(result);
    }

    @Test
    void messageOfAChannel_hasNeitherKeyNorHeadersNorId() {
        JsonNode result = single("\"source_topic\": \"pings\", \"source_kind\": \"redis-channel\"", KEEP, """
                {"when": [{"message": {"content": {}, "key": "v7"}}], "then": {"log": []}}""");

        assertThat(failure(result))
                .isEqualTo("a message of the kind redis-channel has no member 'key'; it can have base64, content");
    }

    @Test
    void messageForAnotherSource_isRefused() {
        JsonNode result = single("\"source_bucket\": \"vans\"", KEEP, """
                {"when": [{"message": {"content": {}}}], "then": {"log": []}}""");

        assertThat(failure(result)).contains("function.json has no source_topic");
    }

    @Test
    void messageWithoutContent_isRefused() {
        JsonNode result = single("\"source_topic\": \"paid\"", KEEP, """
                {"when": [{"message": {"key": "ann"}}], "then": {"log": []}}""");

        assertThat(failure(result)).startsWith("message needs content, or base64");
    }

    @Test
    void unknownKindOfTopic_isRefused() {
        JsonNode result = single("\"source_topic\": \"paid\", \"source_kind\": \"amqp\"", KEEP, """
                {"when": [{"message": {"content": {}}}]}""");

        assertThat(result.path("mistake").asString())
                .isEqualTo(
                        "source_kind in function.json must be one of redis-stream, redis-channel, kafka, not 'amqp'");
    }

    private static String failure(JsonNode result) {
        return result.path("failures").path(0).asString();
    }

    private static void assertPassed(JsonNode result) {
        assertThat(result.path("passed").asBoolean()).as(result.toString()).isTrue();
    }

    private JsonNode single(String source, String code, String test) {
        JsonNode definition = JSON.readTree("""
                {"appname": "f", "depcfg": {%s, "metadata_bucket": "meta",
                  "buckets": [{"alias": "kept", "bucket_name": "kept", "access": "rw"}]}}""".formatted(source));
        List<JsonNode> lines = CaseLines.of(
                ENGINE, FunctionDirectory.create(home.resolve("f"), code, definition, JSON.readTree("[" + test + "]")));
        assertThat(lines).hasSize(1);
        return lines.getFirst();
    }
}
