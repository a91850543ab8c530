package io.millrace.worker.curl;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The server behind one URL binding. */
final class Endpoint {

    /** How many redirects are followed, as in libcurl. */
    private static final int MAX_REDIRECTS = 30;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

    /** What the client writes itself. */
    private static final Set<String> OWN_HEADERS = Set.of("content-length", "connection", "expect", "upgrade", "host");

    /** Why a call has no answer. */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        private final @Nullable String counter;

        Failed(String why, @Nullable String counter) {
            super("Unable to perform the request: " + why);
            this.counter = counter;
        }

        /** Returns the counter of this kind of failure, in addition to that of all failures. */
        Optional<String> counter() {
            return Optional.ofNullable(counter);
        }
    }

    private final HandlerSettings.Url binding;
    private final Addresses addresses;
    private final long maxResponseBytes;
    private final HttpClient http;

    Endpoint(HandlerSettings.Url binding, Addresses addresses, long maxResponseBytes) {
        this.binding = binding;
        this.addresses = addresses;
        this.maxResponseBytes = maxResponseBytes;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (binding.allowCookies()) {
            builder.cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER));
        }
        if (!binding.validateCertificate() && binding.url().startsWith("https:")) {
            builder.sslContext(AnyCertificate.context());
        }
        this.http = builder.build();
    }

    String url() {
        return binding.url();
    }

    /** @param deadline by {@link System#nanoTime} */
    HttpCall.Answer send(HttpCall call, URI url, long deadline) throws Failed, HostFailure {
        String method = call.method();
        URI at = url;
        for (int redirects = 0; ; redirects++) {
            addresses.check(at);
            HttpResponse<InputStream> response = exchange(call, method, at, sameOrigin(at, url), deadline);
            Optional<URI> next = call.redirect() ? location(response, at) : Optional.empty();
            if (next.isEmpty()) {
                return answer(response, deadline);
            }
            close(response);
            if (redirects == MAX_REDIRECTS) {
                throw new Failed("Number of redirects hit maximum amount", null);
            }
            int status = response.statusCode();
            if (status == 303 || (status == 301 || status == 302) && method.equals("POST")) {
                method = method.equals("HEAD") ? "HEAD" : "GET";
            }
            at = next.get();
        }
    }

    private static boolean sameOrigin(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getAuthority().equalsIgnoreCase(other.getAuthority());
    }

    /** Sends a request, and again when the server asks for a digest. Credentials stay with the binding's server. */
    private HttpResponse<InputStream> exchange(HttpCall call, String method, URI url, boolean trusted, long deadline)
            throws Failed {
        String authorization = trusted ? authorization() : null;
        HttpResponse<InputStream> response = sent(request(call, method, url, trusted, authorization), deadline);
        if (response.statusCode() != 401 || !trusted || !binding.authType().equals("digest")) {
            return response;
        }
        Optional<String> digest = response.headers().allValues("www-authenticate").stream()
                .flatMap(challenge ->
                        Digest.answer(challenge, binding.username(), binding.password(), method, url).stream())
                .findFirst();
        if (digest.isEmpty()) {
            return response;
        }
        close(response);
        return sent(request(call, method, url, true, digest.get()), deadline);
    }

    private @Nullable String authorization() {
        return switch (binding.authType()) {
            case "basic" ->
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString((binding.username() + ":" + binding.password())
                                        .getBytes(StandardCharsets.UTF_8));
            case "bearer" -> "Bearer " + binding.bearerKey();
            default -> null;
        };
    }

    private static HttpRequest request(
            HttpCall call, String method, URI url, boolean trusted, @Nullable String authorization) throws Failed {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(url);
            boolean sendsBody = call.body() != null && method.equals(call.method());
            request.method(method, sendsBody ? BodyPublishers.ofByteArray(call.body()) : BodyPublishers.noBody());
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Accept", "*/*");
            headers.put("Accept-Encoding", "gzip, deflate");
            if (sendsBody && call.contentType() != null) {
                headers.put("Content-Type", call.contentType());
            }
            if (authorization != null) {
                headers.put("Authorization", authorization);
            }
            headers.forEach(request::setHeader);
            call.headers().forEach((name, value) -> {
                String lower = name.toLowerCase(Locale.ROOT);
                boolean secret = lower.equals("authorization") || lower.equals("cookie");
                if (!OWN_HEADERS.contains(lower) && (trusted || !secret)) {
                    request.setHeader(name, value);
                }
            });
            return request.build();
        } catch (IllegalArgumentException e) {
            throw new Failed("the request is not valid HTTP: " + e.getMessage(), null);
        }
    }

    private HttpResponse<InputStream> sent(HttpRequest request, long deadline) throws Failed {
        return awaited(http.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream()), deadline);
    }

    private static <T> T awaited(CompletableFuture<T> answer, long deadline) throws Failed {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | InterruptedException e) {
            answer.cancel(true);
            throw timeout();
        } catch (ExecutionException e) {
            throw failed(e.getCause());
        }
    }

    private static Failed timeout() {
        return new Failed("Timeout was reached", "curl_timeout_count");
    }

    private static Failed failed(@Nullable Throwable cause) {
        return switch (cause) {
            case Bodies.TooLong tooLong ->
                new Failed(String.valueOf(tooLong.getMessage()), "curl_max_resp_size_exceeded");
            case ConnectException ignored -> new Failed("Couldn't connect to server", null);
            case SSLException tls -> new Failed("SSL connect error: " + tls.getMessage(), null);
            case null -> new Failed("unknown", null);
            default -> new Failed(cause.getMessage() == null ? cause.toString() : cause.getMessage(), null);
        };
    }

    private static Optional<URI> location(HttpResponse<?> response, URI from) throws Failed {
        int status = response.statusCode();
        if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
            return Optional.empty();
        }
        Optional<String> location = response.headers().firstValue("location");
        if (location.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI next = from.resolve(location.get().strip());
            String scheme = next.getScheme();
            if (next.getHost() == null || !"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
                throw new Failed("the redirect does not lead to an HTTP server", null);
            }
            return Optional.of(next);
        } catch (IllegalArgumentException e) {
            throw new Failed("the redirect is not a URL", null);
        }
    }

    private HttpCall.Answer answer(HttpResponse<InputStream> response, long deadline) throws Failed {
        CompletableFuture<byte[]> body = new CompletableFuture<>();
        // reading blocks without end, so on a thread that can be left behind; closing the stream ends it
        Thread.ofVirtual().name("curl-body").start(() -> {
            try (InputStream in = response.body()) {
                byte[] raw = Bodies.read(in, maxResponseBytes);
                String encoding =
                        response.headers().firstValue("content-encoding").orElse("");
                body.complete(Bodies.decoded(raw, encoding, maxResponseBytes));
            } catch (IOException | RuntimeException e) {
                body.completeExceptionally(e);
            }
        });
        try {
            return new HttpCall.Answer(response.statusCode(), shown(response.headers()), awaited(body, deadline));
        } catch (Failed e) {
            close(response);
            throw e;
        }
    }

    private static void close(HttpResponse<InputStream> response) {
        try {
            response.body().close();
        } catch (IOException e) {
            // its content is not needed
        }
    }

    /** The client knows names in lower case only; servers and handlers spell them as in {@code Content-Type}. */
    private static Map<String, String> shown(HttpHeaders headers) {
        Map<String, String> shown = new LinkedHashMap<>();
        for (Map.Entry<String, List<String>> header : headers.map().entrySet()) {
            if (!header.getKey().startsWith(":")) {
                shown.put(canonical(header.getKey()), String.join(", ", header.getValue()));
            }
        }
        return shown;
    }

    private static String canonical(String name) {
        StringBuilder canonical = new StringBuilder(name.length());
        boolean start = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            canonical.append(start ? Character.toUpperCase(c) : Character.toLowerCase(c));
            start = c == '-';
        }
        return canonical.toString();
    }
}
