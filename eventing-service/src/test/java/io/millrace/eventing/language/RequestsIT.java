package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests to functions through the REST API, with real workers. */
class RequestsIT extends KitService {

    private static final String BUCKET = "requests";
    private static final String SOURCE = "requests-source";
    private static final String META = "requests-meta";
    private static final String WAITING = "waiting";
    private static final String FAILING = "failing";

    /** Counts its calls, and waits until it may answer. */
    private static final String CODE = """
            function OnRequest(request) {
              const id = request.segments[0];
              kept[id] = {calls: (kept[id] ?? {calls: 0}).calls + 1};
              while (!kept['answer']) {}
              return {status: 201, body: 'done'};
            }
            """;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    void bucket() {
        for (String bucket : List.of(BUCKET, SOURCE, META)) {
            documents.catalog().createBucket(bucket, 1).join();
        }
    }

    private static ObjectNode definition(String name, String code) {
        ObjectNode definition = JSON.createObjectNode().put("appname", name).put("appcode", code);
        ObjectNode bindings = definition.putObject("depcfg");
        bindings.put("source_bucket", SOURCE).put("metadata_bucket", META);
        bindings.putArray("buckets")
                .addObject()
                .put("alias", "kept")
                .put("bucket_name", BUCKET)
                .put("access", "rw");
        definition.putObject("settings").put("dcp_stream_boundary", "from_now");
        return definition;
    }

    private CompletableFuture<HttpResponse<String>> send(String id, String key) {
        return send(WAITING, id, key);
    }

    private CompletableFuture<HttpResponse<String>> send(String function, String id, String key) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d/fn/%s/%s".formatted(port(), function, id)))
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static String outcome(HttpResponse<String> answer) {
        boolean failed = answer.statusCode() >= 400;
        return answer.statusCode()
                + " "
                + (failed ? JSON.readTree(answer.body()).path("code").asString() : answer.body())
                + answer.headers()
                        .firstValue("Idempotency-Replayed")
                        .map(repeated -> " repeated")
                        .orElse("");
    }

    private long pid() {
        JsonNode stats = JSON.readTree(text("/api/v1/stats/" + WAITING));
        for (JsonNode worker : (stats.isArray() ? stats.path(0) : stats).path("worker_pids")) {
            return worker.asLong();
        }
        return 0;
    }

    private int calls(String id) {
        byte[] body = awaitDocument(BUCKET, id).body();
        return JSON.readTree(body).path("calls").asInt();
    }

    @Test
    void workerKilledDuringARequestWithAKey_isNotCalledAgainForIt() {
        String lost = UUID.randomUUID().toString();
        String later = UUID.randomUUID().toString();
        deploy(WAITING, definition(WAITING, CODE));
        CompletableFuture<HttpResponse<String>> first = send("lost", lost);
        assertThat(calls("lost")).isEqualTo(1);
        long pid = pid();

        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        assertThat(outcome(first.join())).isEqualTo("502 worker_ended");
        assertThat(outcome(send("lost", lost).join())).isEqualTo("502 worker_ended repeated");
        documents
                .write(Write.upsert(
                        new DocumentKey(Keyspace.of(BUCKET), "answer"), "true".getBytes(StandardCharsets.UTF_8)))
                .join();
        await().atMost(PATIENCE).until(() -> pid() != pid && pid() != 0);
        List<String> answers = await().atMost(PATIENCE)
                .until(
                        () -> List.of(
                                outcome(send("later", later).join()),
                                outcome(send("later", later).join()),
                                outcome(send("lost", lost).join())),
                        seen -> !seen.getFirst().startsWith("503"));
        assertThat(answers).containsExactly("201 done", "201 done repeated", "502 worker_ended repeated");
        assertThat(calls("lost")).isEqualTo(1);
        assertThat(calls("later")).isEqualTo(1);
        undeploy(WAITING);
    }

    @Test
    void requestThatThrows_isCounted_andItsLineIsInTheInsight() {
        deploy(FAILING, definition(FAILING, """
                function OnRequest(request) {
                  log('asked', request.segments[0]);
                  if (request.segments[0] === 'good') { return {body: 'fine'}; }
                  throw new Error('on line 4');
                }
                """));

        assertThat(outcome(send(FAILING, "good", "a").join())).isEqualTo("200 fine");
        assertThat(outcome(send(FAILING, "bad", "b").join())).isEqualTo("500 function_failed");

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(statistic(FAILING, "execution_stats", "on_request_success"))
                    .isEqualTo(1);
            assertThat(statistic(FAILING, "execution_stats", "on_request_failure"))
                    .isEqualTo(1);
            JsonNode lines = JSON.readTree(text("/getInsight?name=" + FAILING)).at("/" + FAILING + "/lines");
            assertThat(lines.at("/2/last_log").asString(""))
                    .as(lines.toString())
                    .isEqualTo("\"asked\" \"bad\"");
            assertThat(lines.at("/4/error_count").asInt()).isEqualTo(1);
            assertThat(lines.at("/4/error_msg").asString("")).contains("on line 4");
        });
        undeploy(FAILING);
    }
}
