package io.millrace.launcher.gateway;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the HTTP APIs of a running suite through its gateway. */
public final class GatewayClient implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final URI url;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    public GatewayClient(URI url) {
        this.url = url;
    }

    /** A response. */
    public record Answer(int status, String body) {
        public boolean isSuccess() {
            return status / 100 == 2;
        }

        public JsonNode json() {
            try {
                return MAPPER.readTree(body);
            } catch (JacksonException e) {
                throw new LauncherException("The response is not valid JSON: " + body, e);
            }
        }
    }

    public URI url() {
        return url;
    }

    public boolean isReady() {
        try {
            return call("GET", "/actuator/health/readiness", BodyPublishers.noBody(), Duration.ofSeconds(5))
                    .isSuccess();
        } catch (LauncherException e) {
            return false;
        }
    }

    public Answer get(String path) {
        return call("GET", path, BodyPublishers.noBody(), Duration.ofSeconds(30));
    }

    public Answer put(String path, String body) {
        return call("PUT", path, BodyPublishers.ofString(body), Duration.ofSeconds(30));
    }

    public Answer post(String path, String body) {
        return call("POST", path, BodyPublishers.ofString(body), Duration.ofMinutes(2));
    }

    public Answer delete(String path) {
        return call("DELETE", path, BodyPublishers.noBody(), Duration.ofSeconds(60));
    }

    /** Returns the answer if it is a success; otherwise throws with the message of the server. */
    public Answer require(Answer answer, String what) {
        if (!answer.isSuccess()) {
            throw new LauncherException("Cannot " + what + ": HTTP " + answer.status() + " "
                    + answer.body().strip());
        }
        return answer;
    }

    /** Sends a request and returns when the response begins; the caller closes its body. */
    public HttpResponse<InputStream> open(String method, String path, BodyPublisher body, Duration timeout) {
        return send(method, path, body, timeout, HttpResponse.BodyHandlers.ofInputStream());
    }

    public Answer call(String method, String path, BodyPublisher body, Duration timeout) {
        HttpResponse<String> response = send(method, path, body, timeout, HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    private <T> HttpResponse<T> send(
            String method, String path, BodyPublisher body, Duration timeout, HttpResponse.BodyHandler<T> handler) {
        HttpRequest request = HttpRequest.newBuilder(url.resolve(path))
                .method(method, body)
                .header("Content-Type", path.endsWith("/bulk") ? "application/x-ndjson" : "application/json")
                .timeout(timeout)
                .build();
        try {
            return client.send(request, handler);
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot reach " + url.resolve(path) + " (" + e + "). Start Millrace with ./millrace up, or set"
                            + " MILLRACE_URL to a running gateway",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted", e);
        }
    }

    /** Encodes a text as one segment of a path. */
    public static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        client.close();
    }
}
