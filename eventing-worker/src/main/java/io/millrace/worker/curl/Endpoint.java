package io.millrace.worker.curl;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.traces.TraceContext;
import io.millrace.worker.addresses.Addresses;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The server behind one URL binding. Every request goes to the origin of the binding, redirected ones as well, and
 * every connection to an address that {@link Addresses} has returned for it.
 */
final class Endpoint {

    /** How many redirects are followed, as in libcurl. */
    private static final int MAX_REDIRECTS = 30;

    private static final int MAX_CONNECTIONS = 256;
    private static final Timeout CONNECT_TIMEOUT = Timeout.ofSeconds(30);

    /** What the client writes itself. */
    private static final Set<String> OWN_HEADERS =
            Set.of("content-length", "transfer-encoding", "connection", "expect", "upgrade", "host");

    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");

    /** Why a call has no answer. */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        private final @Nullable String counter;
        private final String why;
        private final boolean passes;

        /** A failure that the same request would meet again. */
        Failed(String why, @Nullable String counter) {
            this(why, counter, false);
        }

        Failed(String why, @Nullable String counter, boolean passes) {
            super("Unable to perform the request: " + why);
            this.counter = counter;
            this.why = why;
            this.passes = passes;
        }

        /** Returns whether the same request may be answered later. */
        boolean passes() {
            return passes;
        }

        /** Returns the reason alone. */
        String why() {
            return why;
        }

        /** Returns the counter of this kind of failure, in addition to that of all failures. */
        Optional<String> counter() {
            return Optional.ofNullable(counter);
        }
    }

    private final HandlerSettings.Url binding;
    private final long maxResponseBytes;
    private final boolean cuts;
    private final CloseableHttpClient http;

    /** @param maxResponseBytes a longer response is a failure */
    Endpoint(HandlerSettings.Url binding, Addresses addresses, long maxResponseBytes) {
        this(binding, addresses, maxResponseBytes, false);
    }

    /** @param cuts whether the beginning of a longer response is enough, as it was sent */
    Endpoint(HandlerSettings.Url binding, Addresses addresses, long maxResponseBytes, boolean cuts) {
        this.binding = binding;
        this.maxResponseBytes = maxResponseBytes;
        this.cuts = cuts;
        int port = port(URI.create(binding.url()));
        PoolingHttpClientConnectionManagerBuilder connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(MAX_CONNECTIONS)
                .setMaxConnPerRoute(MAX_CONNECTIONS)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT_TIMEOUT)
                        .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                        .build())
                .setDnsResolver(new Checked(addresses, port));
        if (!binding.validateCertificate() && binding.url().startsWith("https:")) {
            connections.setTlsSocketStrategy(ClientTlsStrategyBuilder.create()
                    .setSslContext(AnyCertificate.context())
                    .setHostVerificationPolicy(HostnameVerificationPolicy.CLIENT)
                    .setHostnameVerifier(NoopHostnameVerifier.INSTANCE)
                    .buildClassic());
        }
        HttpClientBuilder client = HttpClientBuilder.create()
                .setConnectionManager(connections.build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setAuthenticationEnabled(false)
                        .setProtocolUpgradeEnabled(false)
                        .build())
                .setUserAgent("millrace")
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableContentCompression();
        this.http = (binding.allowCookies() ? client : client.disableCookieManagement()).build();
    }

    /** Names are resolved here alone: what this returns is what the client connects to. */
    private record Checked(Addresses addresses, int port) implements DnsResolver {

        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            return addresses.resolve(host, port);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /** @param body empty if a redirect is followed */
    private record Response(int status, Map<String, String> headers, byte[] body) {

        Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    void close() {
        http.close(CloseMode.IMMEDIATE);
    }

    String url() {
        return binding.url();
    }

    /**
     * @param trace the value of the header {@code traceparent} unless the call has one; null for none
     * @param deadline by {@link System#nanoTime}
     */
    HttpCall.Answer send(HttpCall call, URI url, @Nullable String trace, long deadline) throws Failed, HostFailure {
        String method = call.method();
        URI at = url;
        for (int redirects = 0; ; redirects++) {
            Response response = exchange(call, method, at, trace, deadline);
            Optional<URI> next = call.redirect() ? location(response, at) : Optional.empty();
            if (next.isEmpty()) {
                return new HttpCall.Answer(response.status(), response.headers(), response.body());
            }
            if (redirects == MAX_REDIRECTS) {
                throw new Failed("Number of redirects hit maximum amount", null);
            }
            if (!sameOrigin(next.get(), url)) {
                throw new Failed(
                        "the redirect leads out of the URL of the binding; add a binding for %s, or call with redirect: false"
                                .formatted(next.get().getAuthority()),
                        null);
            }
            int status = response.status();
            if (status == 303 || (status == 301 || status == 302) && method.equals("POST")) {
                method = method.equals("HEAD") ? "HEAD" : "GET";
            }
            at = next.get();
        }
    }

    private static boolean sameOrigin(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && port(one) == port(other);
    }

    private static int port(URI url) {
        return url.getPort() >= 0 ? url.getPort() : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }

    /** Sends a request, and again when the server asks for a digest. */
    private Response exchange(HttpCall call, String method, URI url, @Nullable String trace, long deadline)
            throws Failed {
        Response response = sent(request(call, method, url, trace, authorization()), call.redirect(), deadline);
        if (response.status() != 401 || !binding.authType().equals("digest")) {
            return response;
        }
        Optional<String> digest = response.header("www-authenticate")
                .flatMap(challenge -> Digest.answer(challenge, binding.username(), binding.password(), method, url));
        return digest.isEmpty()
                ? response
                : sent(request(call, method, url, trace, digest.get()), call.redirect(), deadline);
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

    private static HttpUriRequestBase request(
            HttpCall call, String method, URI url, @Nullable String trace, @Nullable String authorization)
            throws Failed {
        HttpUriRequestBase request = new HttpUriRequestBase(method, url);
        request.setHeader("Accept", "*/*");
        request.setHeader("Accept-Encoding", "gzip, deflate");
        byte[] body = call.body();
        if (body != null && method.equals(call.method())) {
            request.setEntity(new ByteArrayEntity(body, null));
            if (call.contentType() != null) {
                request.setHeader("Content-Type", call.contentType());
            }
        }
        if (authorization != null) {
            request.setHeader("Authorization", authorization);
        }
        if (trace != null) {
            request.setHeader(TraceContext.HEADER, trace);
        }
        for (Map.Entry<String, String> header : call.headers().entrySet()) {
            String name = header.getKey();
            if (!HEADER_NAME.matcher(name).matches()) {
                throw new Failed("the request is not valid HTTP: '%s' cannot name a header".formatted(name), null);
            }
            if (!HEADER_VALUE.matcher(header.getValue()).matches()) {
                throw new Failed(
                        "the request is not valid HTTP: the header '%s' has characters that a header cannot have; encode them, for example with encodeURIComponent"
                                .formatted(name),
                        null);
            }
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                request.setHeader(name, header.getValue());
            }
        }
        return request;
    }

    /** Sends a request and reads the answer, on a thread that can be left behind: both block. */
    private Response sent(HttpUriRequestBase request, boolean follows, long deadline) throws Failed {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("curl").start(() -> {
            try (ClassicHttpResponse response = http.executeOpen(null, request, null)) {
                answer.complete(read(response, follows));
            } catch (Exception e) { // the thread that waits decides what it means
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | InterruptedException e) {
            request.cancel();
            throw new Failed("Timeout was reached", "curl_timeout_count", true);
        } catch (ExecutionException e) {
            throw failed(e.getCause());
        }
    }

    private Response read(ClassicHttpResponse response, boolean follows) throws Exception {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Header header : response.getHeaders()) {
            headers.merge(canonical(header.getName()), header.getValue(), (one, other) -> one + ", " + other);
        }
        boolean redirected = follows && redirects(response.getCode()) && headers.containsKey("Location");
        byte[] body = new byte[0];
        if (cuts && response.getEntity() != null) {
            // not closed: that would read the rest, while to close the response closes the connection
            body = response.getEntity().getContent().readNBytes((int) maxResponseBytes);
        } else if (!redirected && response.getEntity() != null) {
            try (InputStream in = response.getEntity().getContent()) {
                String encoding = headers.getOrDefault("Content-Encoding", "");
                body = Bodies.decoded(Bodies.read(in, maxResponseBytes), encoding, maxResponseBytes);
            }
        }
        return new Response(response.getCode(), headers, body);
    }

    private static Failed failed(@Nullable Throwable cause) {
        return switch (cause) {
            case Bodies.TooLong tooLong ->
                new Failed(String.valueOf(tooLong.getMessage()), "curl_max_resp_size_exceeded");
            case Addresses.Refused refused -> new Failed(String.valueOf(refused.getMessage()), null);
            case UnknownHostException ignored -> new Failed("Couldn't resolve host name", null, true);
            case ConnectException ignored -> new Failed("Couldn't connect to server", null, true);
            case SSLException tls ->
                new Failed(
                        "SSL connect error: " + tls.getMessage(),
                        null,
                        !(tls instanceof SSLPeerUnverifiedException)
                                && !(tls.getCause() instanceof CertificateException));
            case null -> new Failed("unknown", null);
            default -> new Failed(cause.getMessage() == null ? cause.toString() : cause.getMessage(), null, true);
        };
    }

    private static boolean redirects(int status) {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }

    private static Optional<URI> location(Response response, URI from) throws Failed {
        Optional<String> location = redirects(response.status()) ? response.header("location") : Optional.empty();
        if (location.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI next = resolved(from, location.get().strip());
            String scheme = next.getScheme();
            if (next.getHost() == null || !"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
                throw new Failed("the redirect does not lead to an HTTP server", null);
            }
            return Optional.of(next);
        } catch (IllegalArgumentException e) {
            throw new Failed("the redirect is not a URL", null);
        }
    }

    /** As in RFC 3986; {@link URI#resolve} takes a query alone for one of the folder. */
    private static URI resolved(URI from, String location) {
        return location.startsWith("?")
                ? URI.create(from.getScheme() + "://" + from.getRawAuthority() + from.getRawPath() + location)
                : from.resolve(location);
    }

    /** Servers spell names in many ways, handlers as in {@code Content-Type}. */
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
