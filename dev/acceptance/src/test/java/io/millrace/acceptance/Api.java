package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the gateway, logged in as the administrator: single requests, unmodified responses. */
final class Api implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final URI gateway;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Api(URI gateway) {
        this.gateway = gateway;
    }

    record Answer(int status, String body, String etag) {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        Answer succeeded() {
            assertThat(status).as(body).isBetween(200, 299);
            return this;
        }
    }

    Answer get(String path) {
        return send("GET", path, "");
    }

    Answer put(String path, String body, String... headers) {
        return send("PUT", path, body, headers);
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    Answer delete(String path) {
        return send("DELETE", path, "");
    }

    Answer send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.resolve(path))
                .timeout(PATIENCE)
                .header("Authorization", BuiltSuite.LOGIN.authorization())
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!body.isEmpty()) {
            request.header("Content-Type", path.endsWith("/bulk") ? "application/x-ndjson" : "application/json");
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    answer.statusCode(),
                    answer.body(),
                    answer.headers().firstValue("ETag").orElse(""));
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(method + " " + path, e);
        }
    }

    void bucket(String name) {
        put("/api/v1/buckets/" + name, "").succeeded();
    }

    static String document(String bucket, String id) {
        return "/api/v1/buckets/" + bucket + "/docs/" + id;
    }

    void awaitStatus(String function, String status) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(get("/api/v1/status/" + function)
                                .json()
                                .at("/app/composite_status")
                                .asString(""))
                        .isEqualTo(status));
    }

    void deploy(String name, String definition) {
        post("/api/v1/functions/" + name, definition).succeeded();
        post("/api/v1/functions/" + name + "/deploy", "").succeeded();
        awaitStatus(name, "deployed");
    }

    void undeploy(String name) {
        post("/api/v1/functions/" + name + "/undeploy", "").succeeded();
        awaitStatus(name, "undeployed");
        delete("/api/v1/functions/" + name).succeeded();
    }

    /** Returns a counter from a block of the statistics of a function. */
    long counter(String function, String block, String name) {
        JsonNode stats = get("/api/v1/stats/" + function).succeeded().json();
        JsonNode one = stats.isArray() ? stats.path(0) : stats;
        assertThat(one.path(block).has(name))
                .as("%s.%s in %s", block, name, one)
                .isTrue();
        return one.path(block).path(name).asLong(0);
    }

    String log(String function) {
        return get("/getAppLog?name=" + function + "&size=200000").body();
    }

    @Override
    public void close() {
        http.close();
    }
}
