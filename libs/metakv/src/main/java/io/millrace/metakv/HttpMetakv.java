package io.millrace.metakv;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.ByteBufMono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.util.retry.Retry;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of metakv-service over HTTP. */
final class HttpMetakv implements MetakvClient {

    private static final System.Logger LOG = System.getLogger(HttpMetakv.class.getName());

    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
    private static final int CONNECTIONS = 16;

    /** More than a service has to ask at once, when every function of a node or every document of an import has a call. */
    private static final int WAITING_CALLS = 10_000;

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final int CALL_RETRIES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration SILENCE_LIMIT = MetakvLimits.HEARTBEAT.multipliedBy(3);

    private record Answer(int status, HttpHeaders headers, byte[] body) {}

    private final URI baseUrl;
    private final String process = UUID.randomUUID().toString();
    private final @Nullable String changedBy;
    private final boolean sensitive;
    private final JsonMapper json = JsonMapper.builder().build();
    private final HttpClient calls;
    private final HttpClient watches;

    /** @param sensitive whether histories hide the values that this client sets */
    HttpMetakv(URI baseUrl, @Nullable String changedBy, boolean sensitive) {
        this(baseUrl, changedBy, sensitive, Map::of);
    }

    /** @param identity returns further headers of each request */
    HttpMetakv(URI baseUrl, @Nullable String changedBy, boolean sensitive, Supplier<Map<String, String>> identity) {
        this.baseUrl = baseUrl;
        this.changedBy = changedBy;
        this.sensitive = sensitive;
        String base = baseUrl.toString().replaceAll("/+$", "");
        this.calls = prepared(HttpClient.create(connections()), base, identity).responseTimeout(CALL_TIMEOUT);
        this.watches = prepared(HttpClient.newConnection(), base, identity).responseTimeout(SILENCE_LIMIT);
    }

    /** Calls wait for one of a few connections: by default no more than twice as many wait, and further ones fail. */
    private static ConnectionProvider connections() {
        return ConnectionProvider.builder("metakv")
                .maxConnections(CONNECTIONS)
                .pendingAcquireMaxCount(WAITING_CALLS)
                .build();
    }

    private static HttpClient prepared(HttpClient client, String base, Supplier<Map<String, String>> identity) {
        return client.baseUrl(base)
                .doOnRequest((request, connection) -> identity.get().forEach(request::header))
                .option(io.netty.channel.ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS);
    }

    @Override
    public Mono<MetakvEntry> get(String path) {
        return Mono.defer(() -> call(HttpMethod.GET, uri(MetakvPaths.entry(path)), headers -> {}, null))
                .flatMap(answer -> switch (answer.status()) {
                    case 200 -> Mono.just(new MetakvEntry(path, answer.body(), etag(answer)));
                    case 404 -> Mono.empty();
                    default -> Mono.error(failure(answer));
                });
    }

    @Override
    public Mono<String> set(String path, byte[] value) {
        return put(path, value, headers -> {})
                .flatMap(answer -> answer.status() == 200 ? Mono.just(etag(answer)) : Mono.error(failure(answer)));
    }

    @Override
    public Mono<WriteOutcome> set(String path, byte[] value, String rev) {
        return put(path, value, headers -> headers.set(HttpHeaderNames.IF_MATCH, quoted(rev)))
                .map(this::outcome);
    }

    @Override
    public Mono<WriteOutcome> add(String path, byte[] value) {
        return put(path, value, headers -> headers.set(HttpHeaderNames.IF_NONE_MATCH, "*"))
                .map(this::outcome);
    }

    private Mono<Answer> put(String path, byte[] value, Consumer<HttpHeaders> condition) {
        return Mono.defer(() -> {
            MetakvException.checkValue(value);
            String uri = uri(MetakvPaths.entry(path)) + (sensitive ? "?sensitive=true" : "");
            return write(HttpMethod.PUT, uri, condition, value);
        });
    }

    @Override
    public Mono<Void> delete(String path) {
        return Mono.defer(() -> write(HttpMethod.DELETE, uri(MetakvPaths.entry(path)), headers -> {}, null))
                .flatMap(answer -> answer.status() == 200 ? Mono.empty() : Mono.error(failure(answer)));
    }

    @Override
    public Mono<WriteOutcome> delete(String path, String rev) {
        return Mono.defer(() -> write(
                        HttpMethod.DELETE,
                        uri(MetakvPaths.entry(path)),
                        headers -> headers.set(HttpHeaderNames.IF_MATCH, quoted(rev)),
                        null))
                .map(this::outcome);
    }

    @Override
    public Mono<List<MetakvEntry>> list(String directory) {
        return Mono.defer(() -> call(HttpMethod.GET, uri(MetakvPaths.directory(directory)), headers -> {}, null))
                .map(answer -> {
                    var entries = new ArrayList<MetakvEntry>();
                    for (JsonNode node : content(answer)) {
                        entries.add(new MetakvEntry(
                                node.path("path").asString(),
                                Base64.getDecoder().decode(node.path("value").asString()),
                                node.path("rev").asString()));
                    }
                    return List.copyOf(entries);
                });
    }

    @Override
    public Mono<List<MetakvChange>> history(String path, long below, int max) {
        return Mono.defer(() -> call(
                        HttpMethod.GET,
                        "%s?history&max=%d&below=%d".formatted(uri(MetakvPaths.entry(path)), max, below),
                        headers -> {},
                        null))
                .map(answer ->
                        content(answer).valueStream().map(HttpMetakv::change).toList());
    }

    private static MetakvChange change(JsonNode node) {
        JsonNode value = node.path("value");
        return new MetakvChange(
                node.path("version").asLong(),
                node.path("rev").asString(),
                value.isString() ? Base64.getDecoder().decode(value.asString()) : null,
                node.path("deleted").asBoolean(),
                Instant.parse(node.path("time").asString()),
                node.path("changedBy").asString(null));
    }

    @Override
    public Mono<Integer> deleteRecursively(String directory) {
        return Mono.defer(() -> write(HttpMethod.DELETE, uri(MetakvPaths.directory(directory)), headers -> {}, null))
                .map(answer -> content(answer).path("deleted").asInt());
    }

    @Override
    public Flux<MetakvEvent> watch(String directory) {
        return Flux.defer(() -> {
            String uri = uri(MetakvPaths.directory(directory));
            var state = new ReceivedWatch(json);
            Retry retry = Retry.backoff(Long.MAX_VALUE, FIRST_PAUSE)
                    .maxBackoff(LONGEST_PAUSE)
                    .transientErrors(true)
                    .doBeforeRetry(signal -> {
                        if (signal.totalRetriesInARow() == 0) {
                            LOG.log(
                                    worthRepeating(signal.failure())
                                            ? System.Logger.Level.INFO
                                            : System.Logger.Level.WARNING,
                                    "event=watch_reconnecting directory={0} service={1} reason=\"{2}\"",
                                    directory,
                                    baseUrl,
                                    signal.failure().getMessage());
                        }
                    });
            return Flux.defer(() -> connection(uri, state)).retryWhen(retry);
        });
    }

    /** Returns the events of one connection of a watch; always ends with an error. */
    private Flux<MetakvEvent> connection(String uri, ReceivedWatch state) {
        var parser = new SseParser();
        Flux<MetakvEvent> events = watches.headers(headers -> {
                    headers.set(HttpHeaderNames.ACCEPT, "text/event-stream");
                    if (state.lastId() != null) {
                        headers.set("Last-Event-ID", state.lastId());
                    }
                })
                .get()
                .uri(uri)
                .response((response, content) -> response.status().code() == 200
                        ? content.asByteArray().concatMapIterable(parser::feed).concatMapIterable(state::accept)
                        : body(response, content.aggregate()).flatMap(answer -> Mono.error(failure(answer))));
        return events.concatWith(Mono.error(
                        () -> MetakvException.of(MetakvException.Code.UNAVAILABLE, "metakv-service closed the watch.")))
                .onErrorMap(this::translated);
    }

    @Override
    public Mono<List<NodeInfo>> nodes() {
        return call(HttpMethod.GET, "/api/v1/nodes", headers -> {}, null).map(answer -> {
            var nodes = new ArrayList<NodeInfo>();
            for (JsonNode node : content(answer)) {
                nodes.add(new NodeInfo(
                        node.path("id").asString(),
                        node.path("service").asString(),
                        node.path("address").asString(),
                        node.path("version").asString()));
            }
            return List.copyOf(nodes);
        });
    }

    @Override
    public NodeLease register(NodeInfo node, Duration lease) {
        if (lease.compareTo(MetakvLimits.MIN_LEASE) < 0 || lease.compareTo(MetakvLimits.MAX_LEASE) > 0) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST,
                    "A lease must be %d to %d seconds."
                            .formatted(MetakvLimits.MIN_LEASE.toSeconds(), MetakvLimits.MAX_LEASE.toSeconds()));
        }
        String uri = "/api/v1/nodes/" + node.id();
        byte[] body = json.writeValueAsBytes(Map.of(
                "service", node.service(),
                "address", node.address(),
                "version", node.version(),
                "host", ThisHost.name(),
                "process", process,
                "leaseSeconds", lease.toSeconds()));
        Mono<Void> renewal = exchange(HttpMethod.PUT, uri, headers -> json(headers), body)
                .map(this::content)
                .then();
        Mono<Void> removal = exchange(HttpMethod.DELETE, uri, headers -> {}, null)
                .map(this::content)
                .then();
        return new RenewedLease(node, lease, renewal, removal);
    }

    /** Sends a write that is safe to repeat: its idempotency key lets the service recognize a repetition. */
    private Mono<Answer> write(HttpMethod method, String uri, Consumer<HttpHeaders> headers, byte @Nullable [] body) {
        String key = UUID.randomUUID().toString();
        Consumer<HttpHeaders> all = headers.andThen(more -> {
            more.set("Idempotency-Key", key);
            if (changedBy != null) {
                more.set("X-Changed-By", changedBy);
            }
        });
        return call(method, uri, all, body);
    }

    private Mono<Answer> call(HttpMethod method, String uri, Consumer<HttpHeaders> headers, byte @Nullable [] body) {
        return exchange(method, uri, headers, body)
                .flatMap(answer -> worthRepeating(answer.status()) ? Mono.error(failure(answer)) : Mono.just(answer))
                .retryWhen(Retry.backoff(CALL_RETRIES, FIRST_PAUSE)
                        .filter(HttpMetakv::worthRepeating)
                        .onRetryExhaustedThrow((spec, signal) -> signal.failure()));
    }

    private Mono<Answer> exchange(
            HttpMethod method, String uri, Consumer<HttpHeaders> headers, byte @Nullable [] body) {
        Mono<Answer> answer = calls.headers(headers)
                .request(method)
                .uri(uri)
                .send(body == null ? ByteBufFlux.fromInbound(Mono.empty()) : buffers(body))
                .responseSingle(HttpMetakv::body);
        return answer.onErrorMap(this::translated);
    }

    private static Mono<io.netty.buffer.ByteBuf> buffers(byte[] body) {
        return Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body));
    }

    private static Mono<Answer> body(HttpClientResponse response, ByteBufMono content) {
        return content.asByteArray()
                .defaultIfEmpty(new byte[0])
                .map(bytes -> new Answer(response.status().code(), response.responseHeaders(), bytes));
    }

    private static void json(HttpHeaders headers) {
        headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
    }

    private WriteOutcome outcome(Answer answer) {
        return switch (answer.status()) {
            case 200 -> new WriteOutcome.Written(etag(answer));
            case 409 -> new WriteOutcome.Conflict(tree(answer).path("rev").asString(null));
            default -> throw failure(answer);
        };
    }

    private JsonNode content(Answer answer) {
        if (answer.status() != 200) {
            throw failure(answer);
        }
        return tree(answer);
    }

    private JsonNode tree(Answer answer) {
        try {
            return json.readTree(answer.body());
        } catch (JacksonException e) {
            throw unexpected(answer);
        }
    }

    private static String etag(Answer answer) {
        String etag = answer.headers().get(HttpHeaderNames.ETAG);
        if (etag == null || etag.length() < 3) {
            throw unexpected(answer);
        }
        return etag.substring(1, etag.length() - 1);
    }

    private static String quoted(String rev) {
        return '"' + rev + '"';
    }

    private MetakvException failure(Answer answer) {
        try {
            JsonNode problem = json.readTree(answer.body()); // RFC 9457
            String code = problem.path("code").asString("").toUpperCase(Locale.ROOT);
            for (MetakvException.Code known : MetakvException.Code.values()) {
                if (known.name().equals(code)) {
                    return MetakvException.of(known, problem.path("detail").asString(code));
                }
            }
        } catch (JacksonException e) {
            // not a problem document: only the status is known
        }
        return worthRepeating(answer.status())
                ? MetakvException.of(
                        MetakvException.Code.UNAVAILABLE,
                        "metakv-service responded with status " + answer.status() + ".")
                : unexpected(answer);
    }

    private static MetakvException unexpected(Answer answer) {
        String start = new String(answer.body(), 0, Math.min(200, answer.body().length), StandardCharsets.UTF_8);
        return MetakvException.of(
                MetakvException.Code.UNEXPECTED,
                "metakv-service sent an unexpected response, status %d: %s".formatted(answer.status(), start));
    }

    private Throwable translated(Throwable failure) {
        if (failure instanceof MetakvException) {
            return failure;
        }
        if (failure instanceof IOException || failure instanceof TimeoutException || isNettyTimeout(failure)) {
            return MetakvException.unavailable(
                    "metakv-service at %s cannot be reached: %s".formatted(baseUrl, failure.getMessage()), failure);
        }
        return failure;
    }

    private static boolean isNettyTimeout(Throwable failure) {
        return failure instanceof io.netty.handler.timeout.TimeoutException
                || failure instanceof io.netty.channel.ChannelException;
    }

    private static boolean worthRepeating(Throwable failure) {
        return failure instanceof MetakvException known && known.unavailable();
    }

    private static boolean worthRepeating(int status) {
        return status == 429 || status == 502 || status == 503 || status == 504;
    }

    private static String uri(String path) {
        var uri = new StringBuilder("/_metakv");
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            boolean plain =
                    b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || "-._~/".indexOf(b) >= 0;
            if (plain) {
                uri.append((char) b);
            } else {
                uri.append('%').append(String.format("%02X", b));
            }
        }
        return uri.toString();
    }
}
