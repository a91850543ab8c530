package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The suite behind the browser, on free ports and empty at first, and a client that is logged in as its administrator. It ends
 * with the JVM.
 */
final class Store {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Login LOGIN = new Login("Administrator", "opensesame");

    private static @Nullable Store shared;
    private static @Nullable RuntimeException failure;

    private final Suite suite;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Store(Suite suite) {
        this.suite = suite;
    }

    /** A suite that did not start once is not started again: every test would wait for that. */
    static synchronized Store shared() {
        if (failure != null) {
            throw new IllegalStateException("The suite did not start for an earlier test", failure);
        }
        if (shared == null) {
            shared = start();
        }
        return shared;
    }

    private static Store start() {
        Path directory = scratch();
        try {
            return new Store(Suite.start(
                    SuiteSettings.of(ROOT, Path.of("target", "suite").toAbsolutePath())
                            .freePorts()
                            .oneProcess()
                            .environment("MILLRACE_ADMIN_PASSWORD", LOGIN.password())
                            .environment("MILLRACE_EVENTING_WORKEROPTIMIZED", "false")
                            .environment("MILLRACE_CURL_ALLOWED", "127.0.0.1")
                            .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
                            .data(directory.resolve("data"))
                            .logs(directory.resolve("logs"))));
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    private static Path scratch() {
        try {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target").toAbsolutePath()), "store-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the gateway, without a slash at its end. */
    String origin() {
        return suite.url(Service.GATEWAY).toString().replaceAll("/$", "");
    }

    Suite suite() {
        return suite;
    }

    /** An answer with its status, for requests that may be refused. */
    record Answer(int status, String body) {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    Answer send(String method, String path, String body) {
        return send(method, path, body, "application/json");
    }

    private Answer send(String method, String path, String body, String type, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin() + path))
                .timeout(PATIENCE)
                .header("Authorization", LOGIN.authorization())
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", type);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(method + " " + path, e);
        }
    }

    /** Saves the response to a request in a file. */
    Path download(String path, String name) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(origin() + path))
                .timeout(PATIENCE)
                .header("Authorization", LOGIN.authorization())
                .build();
        try {
            Path file = Files.createTempDirectory(scratch(), "download").resolve(name);
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofFile(file))
                            .statusCode())
                    .isEqualTo(200);
            return file;
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(path, e);
        }
    }

    /** Sends a request that must succeed. */
    JsonNode done(String method, String path, String body) {
        return done(method, path, body, "application/json");
    }

    JsonNode done(String method, String path, String body, String type) {
        Answer answer = send(method, path, body, type);
        assertThat(answer.status()).as("%s %s: %s", method, path, answer.body()).isBetween(200, 299);
        return answer.body().startsWith("{") || answer.body().startsWith("[")
                ? answer.json()
                : JsonMapper.shared().nullNode();
    }

    JsonNode get(String path) {
        return done("GET", path, "");
    }

    void bucket(String name) {
        done("PUT", "/api/v1/buckets/" + name, "");
    }

    void document(String bucket, String id, String json) {
        done("PUT", "/api/v1/buckets/" + bucket + "/docs/" + id, json);
    }

    /** Writes a document whose change is followed. */
    void followed(String bucket, String id, String json, String traceparent, String requestId) {
        String path = "/api/v1/buckets/" + bucket + "/docs/" + id;
        Answer answer =
                send("PUT", path, json, "application/json", "traceparent", traceparent, "X-Request-Id", requestId);
        assertThat(answer.status()).as("%s: %s", path, answer.body()).isBetween(200, 299);
    }

    /** Writes documents with these ids and one body. */
    void documents(String bucket, Stream<String> ids, String json) {
        String lines = ids.map(id -> "{\"id\": \"%s\", \"value\": %s}\n".formatted(id, json))
                .collect(Collectors.joining());
        done("POST", "/api/v1/buckets/" + bucket + "/bulk", lines, "application/x-ndjson");
    }

    /** Sends a command to Redis. */
    void redis(String... words) {
        try {
            suite.redisConsole().call(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stores a function whose code sees the bucket {@code target} as {@code dst}. */
    void function(String name, String source, String target, String code) {
        String definition = JsonMapper.shared()
                .writeValueAsString(Map.of(
                        "appname",
                        name,
                        "appcode",
                        code,
                        "depcfg",
                        Map.of(
                                "source_bucket",
                                source,
                                "metadata_bucket",
                                "eventing",
                                "buckets",
                                List.of(Map.of("alias", "dst", "bucket_name", target, "access", "rw")))));
        done("POST", "/api/v1/functions/" + name, definition);
    }

    /** Stores new code of a function that is not deployed. */
    void code(String name, String code) {
        done("POST", "/api/v1/functions/" + name + "/appcode", code, "application/javascript");
    }

    String checksum(String name) {
        return send("GET", "/api/v1/functions/" + name + "/appcode/checksum", "")
                .body();
    }

    void deploy(String name) {
        done("POST", "/api/v1/functions/" + name + "/deploy", "");
        awaitState(name, "deployed");
    }

    void move(String name, String move, String state) {
        done("POST", "/api/v1/functions/" + name + "/" + move, "");
        awaitState(name, state);
    }

    void awaitState(String name, String state) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(get("/api/v1/status/" + name)
                                .at("/app/composite_status")
                                .asString(""))
                        .isEqualTo(state));
    }

    /** Waits for a document and returns it. */
    JsonNode awaitDocument(String bucket, String id) {
        String path = "/api/v1/buckets/" + bucket + "/docs/" + id;
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> send("GET", path, "").status() == 200);
        return get(path);
    }
}
