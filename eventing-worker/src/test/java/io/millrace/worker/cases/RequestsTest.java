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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Cases whose steps are HTTP requests. */
class RequestsTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HandlerEngine ENGINE = HandlerEngine.start(QueryBinding::read, why -> {});

    private static final String PARCELS = """
            function OnRequest(request) {
              const id = request.segments[0];
              if (request.method === 'PUT') {
                parcels[id] = request.body;
                return {status: 201, headers: {Location: `/fn/parcel_api/${id}`}};
              }
              if (request.method === 'DELETE') {
                throw new Error('parcels stay');
              }
              const parcel = parcels[id];
              return parcel === undefined
                ? {status: 404, body: `There is no parcel ${id}`}
                : {body: {parcel, full: request.query.full, by: request.user}};
            }""";

    private static final String ECHO = "function OnRequest(request) { return {body: request}; }";

    @TempDir
    private Path home;

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    @Test
    void request_isAnsweredFromWhatAnEarlierOneWrote() {
        assertThat(failures(PARCELS, """
                        {"when": [{"request": {"method": "PUT", "path": "/p7", "body": {"grams": 250}}},
                                  {"request": {"path": "/p7?full=yes", "user": "ada"}},
                                  {"request": {"path": "/p%208"}}],
                         "then": {"documents": {"parcels": {"p7": {"grams": 250}}},
                                  "responses": [{"status": 201, "headers": {"Location": "/fn/parcel_api/p7"}},
                                                {"status": 200, "body": {"parcel": {"grams": 250}, "full": "yes", "by": "ada"}},
                                                {"status": 404, "body": "There is no parcel p 8"}]}}""")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{'status': 200}]|responses[0].status: expected 200, but it is 404",
                "[{'body': 'nothing'}]|responses[0].body: expected \"nothing\", but it is \"There is no parcel p7\"",
                "[]|responses: expected 0, but there are 1"
            })
    void unexpectedResponse_fails(String expected, String difference) {
        assertThat(failures(
                        PARCELS,
                        "{\"when\": [{\"request\": {\"path\": \"/p7\"}}], \"then\": {\"responses\": %s}}"
                                .formatted(expected.replace('\'', '"'))))
                .singleElement()
                .asString()
                .startsWith(difference);
    }

    @Test
    void failedRequest_failsTheCaseUnlessItIsExpected() {
        String test = "{\"when\": [{\"request\": {\"method\": \"DELETE\", \"path\": \"/p7\"}}], \"then\": %s}";

        assertThat(failures(PARCELS, test.formatted("{\"responses\": [{\"status\": 500}]}")))
                .singleElement()
                .asString()
                .startsWith("OnRequest of 'DELETE /p7' failed at line 8, column ")
                .contains("parcels stay");
        assertThat(failures(
                        PARCELS, test.formatted("{\"error\": \"parcels stay\", \"responses\": [{\"status\": 500}]}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'method': 'HEAD'}|{'method': 'GET', 'path': '/', 'segments': [], 'user': null}",
                "{'path': '/a%2Fb/c+d?x=1&x=2&y=a+b&z'}|{'path': '/a%2Fb/c+d', 'segments': ['a/b', 'c+d'],"
                        + " 'query': {'x': ['1', '2'], 'y': 'a b', 'z': ''}}",
                "{'method': 'POST', 'headers': {'X-Of': 'us'}, 'body': 'text'}|{'body': 'text',"
                        + " 'headers': {'x-of': 'us', 'content-type': 'text/plain;charset=UTF-8'}}",
                "{'method': 'POST', 'headers': {'Content-Type': 'application/json'}, 'body': 'text'}|{'body': 'text',"
                        + " 'headers': {'content-type': 'application/json'}}",
                "{'method': 'POST', 'body': [1]}|{'body': [1], 'headers': {'content-type': 'application/json'}}"
            })
    void request_isWhatAClientWouldSend(String sent, String seen) {
        assertThat(failures(
                        ECHO,
                        "{\"when\": [{\"request\": %s}], \"then\": {\"responses\": [{\"body\": %s}]}}"
                                .formatted(sent, seen)
                                .replace('\'', '"')))
                .isEmpty();
    }

    @Test
    void partsAndBytes_areCollected() {
        assertThat(failures("""
                        function* lines() { yield 'a\\n'; yield 'b\\n'; }
                        function OnRequest(request) {
                          return request.path === '/lines' ? {body: lines()} : {body: new Uint8Array([request.body.byteLength, 1])};
                        }""", """
                        {"when": [{"request": {"path": "/lines"}}, {"request": {"method": "PUT", "base64": "AQID"}}],
                         "then": {"responses": [{"body": "a\\nb\\n"}, {"body": {"binary_bytes": 2}}]}}""")).isEmpty();
    }

    @Test
    void bodyThatIsTooLarge_failsAsInAWorker() {
        assertThat(
                        failures(
                                "function OnRequest(request) { return {body: 'x'.repeat(2097153)}; }",
                                "{\"when\": [{\"request\": {}}], \"then\": {\"error\": \"2 MiB\", \"responses\": [{\"status\": 500}]}}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'method': 'LIST'}|The method of a request is one of DELETE, GET",
                "{'path': 'p7'}|The path of a request is what follows /fn/NAME",
                "{'path': '/%zz'}|is not percent-encoded",
                "{'boby': 1}|request has no member 'boby'",
                "{'body': 1, 'base64': ''}|not both",
                "{'headers': {'Content-Type': 'application/json'}, 'base64': ''}|give the JSON as body"
            })
    void malformedRequest_isNamed(String sent, String mistake) {
        assertThat(failures(
                        ECHO,
                        "{\"when\": [{\"request\": %s}], \"then\": {\"responses\": []}}"
                                .formatted(sent)
                                .replace('\'', '"')))
                .singleElement()
                .asString()
                .contains(mistake);
    }

    private static final String DESCRIBED = """
            {"openapi": {"paths": {"/{id}": {
              "parameters": [{"in": "header", "name": "X-Tenant", "schema": {"enum": ["north", "south"]}}],
              "get": {"parameters": [{"in": "query", "name": "full", "schema": {"enum": ["yes", "no"]}}]},
              "put": {"requestBody": {"required": true, "content": {"application/json": {
                "schema": {"type": "object", "required": ["grams"], "properties": {"grams": {"type": "number"}}}}}}}}}}}""";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'path': '/p7?full=maybe'}|400|invalid_request|the query parameter full",
                "{'path': '/p7?full=yes&full=no'}|400|invalid_request|the query parameter full has several values",
                "{'path': '/p7', 'headers': {'x-tenant': 'west'}}|400|invalid_request|the header parameter X-Tenant",
                "{'method': 'PUT', 'path': '/p7', 'body': {'grams': 'many'}}|400|invalid_request|the body at /grams",
                "{'method': 'PUT', 'path': '/p7'}|400|invalid_request|the body is missing",
                "{'method': 'PUT', 'path': '/p7', 'base64': 'AQID'}|400|invalid_request|the Content-Type of the body",
                "{'method': 'DELETE', 'path': '/p7'}|405|method_not_described|has only [GET, PUT] for this path",
                "{'path': '/p7/'}|404|path_not_described|has no such path"
            })
    void requestThatTheServiceWouldRefuse_doesNotReachTheCode(String sent, int status, String code, String mistake) {
        List<JsonNode> lines = lines(
                "function OnRequest(request) { parcels.called = {}; }",
                DESCRIBED,
                "{\"when\": [{\"request\": %s}], \"then\": {\"documents\": {\"parcels\": {}}, \"responses\": [{\"status\": %d, \"body\": {\"code\": \"%s\"}}]}}"
                        .formatted(sent, status, code)
                        .replace('\'', '"'));

        assertThat(lines.getFirst().path("failures")).isEmpty();
        assertThat(lines.getFirst().at("/invocations/0/response/body/detail").asString())
                .contains(mistake)
                .contains("The function was not called.");
    }

    @Test
    void requestThatTheServiceWouldTake_reachesTheCode() {
        assertThat(lines(PARCELS, DESCRIBED, """
                        {"when": [{"request": {"method": "PUT", "path": "/p%207", "body": {"grams": 250}}},
                                  {"request": {"method": "HEAD", "path": "/p%207?full=no", "headers": {"x-Tenant": "north"}}}],
                         "then": {"responses": [{"status": 201}, {"status": 200, "body": {"full": "no"}}]}}""").getFirst().path("failures")).isEmpty();
    }

    @Test
    void settingThatCannotBeUsed_isNamed() {
        assertThat(lines(ECHO, "{\"openapi\": {\"paths\": {\"a\": {}}}}", "{}")
                        .getFirst()
                        .path("mistake")
                        .asString())
                .isEqualTo("Setting 'openapi' cannot be used: the path a must begin with a slash and be an object.");
    }

    private List<String> failures(String code, String test) {
        JsonNode result = lines(code, "{}", test).getFirst();
        assertThat(result.has("mistake")).as(result.toString()).isFalse();
        return result.path("failures").valueStream().map(JsonNode::asString).toList();
    }

    private List<JsonNode> lines(String code, String settings, String test) {
        JsonNode definition = JSON.readTree("""
                {"appname": "parcel_api", "depcfg": {"source_bucket": "scans", "metadata_bucket": "eventing",
                  "buckets": [{"alias": "parcels", "bucket_name": "parcels", "access": "rw"}]}, "settings": %s}""".formatted(settings));
        FunctionDirectory directory = FunctionDirectory.create(
                home.resolve("f" + System.nanoTime()),
                code,
                definition,
                JsonNodeFactory.instance.arrayNode().add(JSON.readTree(test)));
        List<JsonNode> lines = CaseLines.of(ENGINE, directory);
        assertThat(lines).hasSize(1);
        return lines;
    }
}
