package io.millrace.launcher.gateway;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.tls.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the HTTP APIs of a running suite through its gateway. */
public final class GatewayClient implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final int UNAUTHORIZED = 401;

    private final URI url;
    private final @Nullable Login login;
    private final HttpClient client;

    /** @param login sent with every request, or null for a gateway that is open; it may name the authority to trust */
    public GatewayClient(URI url, @Nullable Login login) {
        this(url, login, login == null ? null : login.authority());
    }

    /** @param authority the file with the authority of the gateway's certificate, or null for those that Java trusts */
    public GatewayClient(URI url, @Nullable Login login, @Nullable Path authority) {
        this.url = url;
        this.login = login;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5));
        if (authority != null && "https".equals(url.getScheme())) {
            builder.sslContext(ClientTls.trusting(authority));
        }
        this.client = builder.build();
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
            HttpRequest request = HttpRequest.newBuilder(url.resolve("/actuator/health/readiness"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
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

    /** Sends a form, as the paths of Couchbase's cluster manager take it. */
    public Answer form(String method, String path, Map<String, String> fields) {
        String body = fields.entrySet().stream()
                .map(field -> segment(field.getKey()) + "=" + segment(field.getValue()))
                .collect(Collectors.joining("&"));
        HttpResponse<String> response = send(
                method,
                path,
                "application/x-www-form-urlencoded",
                BodyPublishers.ofString(body),
                Duration.ofSeconds(60),
                HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    /** Returns the user as whom this client logs in. */
    public Optional<String> user() {
        return Optional.ofNullable(login).map(Login::user);
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
        String type = path.endsWith("/bulk") ? "application/x-ndjson" : "application/json";
        return send(method, path, type, body, timeout, handler);
    }

    private <T> HttpResponse<T> send(
            String method,
            String path,
            String contentType,
            BodyPublisher body,
            Duration timeout,
            HttpResponse.BodyHandler<T> handler) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path))
                .method(method, body)
                .header("Content-Type", contentType)
                .timeout(timeout);
        if (login != null) {
            request.header("Authorization", login.authorization());
        }
        HttpResponse<T> response = send(request.build(), handler);
        if (isLoginRefused(response)) {
            throw new LauncherException(
                    login == null
                            ? url
                                    + " asks for a login. Name a file with the line user = \"NAME:PASSWORD\" in"
                                    + " MILLRACE_LOGIN"
                            : url + " refuses the login of " + login.user() + ": the user does not exist or has another"
                                    + " password. Correct the file with the login, or restart Millrace with"
                                    + " MILLRACE_ADMIN_PASSWORD to set the password of the administrator");
        }
        return response;
    }

    /** A statement that the roles do not allow is answered with 401 as well, but without a challenge. */
    private static boolean isLoginRefused(HttpResponse<?> response) {
        return response.statusCode() == UNAUTHORIZED
                && response.headers().firstValue("WWW-Authenticate").isPresent();
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return client.send(request, handler);
        } catch (SSLHandshakeException e) {
            throw new LauncherException(
                    "The certificate of " + request.uri().getAuthority() + " is not trusted (" + e.getMessage()
                            + "). Name the file with its authority in the file with the login, as cacert = \"FILE\"",
                    e);
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot reach " + request.uri() + " (" + reason(e) + "). Start Millrace with ./millrace up, or set"
                            + " MILLRACE_URL to a running gateway",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted", e);
        }
    }

    /** Java's exceptions of connections have no message, or one about Java. */
    private static String reason(IOException failure) {
        return switch (failure) {
            case HttpTimeoutException late -> "it does not answer in time";
            case ConnectException refused
            when refused.getCause() instanceof UnresolvedAddressException -> "the host is unknown";
            case ConnectException refused -> "nothing accepts connections there";
            default -> String.valueOf(failure.getMessage());
        };
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
