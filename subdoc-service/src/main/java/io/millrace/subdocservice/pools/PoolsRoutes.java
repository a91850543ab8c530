package io.millrace.subdocservice.pools;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.cluster.ClusterConfig;
import io.millrace.subdocservice.users.CertificateUser;
import io.millrace.subdocservice.users.Logins;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The paths below {@code /pools}; they need a login. */
final class PoolsRoutes {

    private static final String BASIC = "basic ";

    private static final String STREAM_END = "\n\n\n\n";
    private static final Duration STREAM_PERIOD = Duration.ofSeconds(10);

    private final DocumentStore store;
    private final Cluster cluster;
    private final Logins logins;

    PoolsRoutes(DocumentStore store, Cluster cluster, Logins logins) {
        this.store = store;
        this.cluster = cluster;
        this.logins = logins;
    }

    RouterFunction<ServerResponse> router() {
        return RouterFunctions.route()
                .GET("/pools", known((config, request) -> json(config.pools())))
                .GET("/pools/default", known((config, request) -> json(config.pool())))
                .GET("/pools/default/nodeServices", known((config, request) -> json(config.nodeServices())))
                .GET("/pools/default/buckets", known((config, request) -> buckets(config)))
                .GET("/pools/default/buckets/{bucket}", bucket(ClusterConfig::detailed))
                .GET("/pools/default/b/{bucket}", bucket(ClusterConfig::bucket))
                .GET("/pools/default/bs/{bucket}", known(this::stream))
                .filter((request, next) -> admitted(request).flatMap(in -> in ? next.handle(request) : logIn()))
                .build();
    }

    private Mono<Boolean> admitted(ServerRequest request) {
        String header = request.headers().firstHeader(HttpHeaders.AUTHORIZATION);
        if (header == null) {
            return Mono.just(certified(request.exchange().getRequest().getSslInfo()));
        }
        if (!header.toLowerCase(Locale.ROOT).startsWith(BASIC)) {
            return Mono.just(false);
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            String[] parts = new String(decoded, StandardCharsets.UTF_8).split(":", 2);
            return parts.length == 2 ? Mono.fromFuture(() -> logins.verify(parts[0], parts[1])) : Mono.just(false);
        } catch (IllegalArgumentException e) {
            return Mono.just(false);
        }
    }

    private boolean certified(@Nullable SslInfo tls) {
        X509Certificate[] chain = tls == null ? null : tls.getPeerCertificates();
        return chain != null
                && CertificateUser.of(chain)
                        .filter(user -> logins.keys(user, ScramMechanism.SCRAM_SHA512) != null)
                        .isPresent();
    }

    private static Mono<ServerResponse> logIn() {
        return ServerResponse.status(HttpStatus.UNAUTHORIZED)
                .header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"Millrace\"")
                .build();
    }

    private HandlerFunction<ServerResponse> known(
            BiFunction<ClusterConfig, ServerRequest, Mono<ServerResponse>> handler) {
        return request -> cluster.config()
                .map(config -> handler.apply(config, request))
                .orElseGet(() -> ServerResponse.status(HttpStatus.SERVICE_UNAVAILABLE)
                        .header(HttpHeaders.RETRY_AFTER, "1")
                        .build());
    }

    private HandlerFunction<ServerResponse> bucket(BiFunction<ClusterConfig, BucketInfo, byte[]> shown) {
        return known((config, request) -> find(request)
                .flatMap(bucket -> json(shown.apply(config, bucket)))
                .switchIfEmpty(Mono.defer(PoolsRoutes::absent)));
    }

    private Mono<BucketInfo> find(ServerRequest request) {
        String name = request.pathVariable("bucket");
        return Mono.fromFuture(() -> store.catalog().find(name))
                .onErrorResume(PoolsRoutes::isClosed, closed -> Mono.empty())
                .flatMap(Mono::justOrEmpty);
    }

    private static boolean isClosed(Throwable failure) {
        return failure instanceof DocumentsException known && known.code() == DocumentsException.Code.SYSTEM_BUCKET;
    }

    private static Mono<ServerResponse> absent() {
        return ServerResponse.status(HttpStatus.NOT_FOUND)
                .contentType(MediaType.TEXT_PLAIN)
                .bodyValue("Requested resource not found.\r\n");
    }

    private Mono<ServerResponse> buckets(ClusterConfig config) {
        return Mono.fromFuture(() -> store.catalog().list())
                .flatMap((List<BucketInfo> all) -> json(all.stream()
                        .map(bucket -> new String(config.detailed(bucket), StandardCharsets.UTF_8))
                        .collect(Collectors.joining(",", "[", "]"))
                        .getBytes(StandardCharsets.UTF_8)));
    }

    /** Sends the configuration of the bucket periodically, as long as the bucket exists. */
    private Mono<ServerResponse> stream(ClusterConfig config, ServerRequest request) {
        Flux<String> configs = Flux.interval(Duration.ZERO, STREAM_PERIOD)
                .onBackpressureDrop()
                .concatMap(tick -> find(request).map(bucket -> text(config, bucket)), 1);
        return find(request)
                .flatMap(bucket ->
                        ServerResponse.ok().contentType(MediaType.TEXT_PLAIN).body(configs, String.class))
                .switchIfEmpty(Mono.defer(PoolsRoutes::absent));
    }

    private static String text(ClusterConfig config, BucketInfo bucket) {
        return new String(config.bucket(bucket), StandardCharsets.UTF_8) + STREAM_END;
    }

    private static Mono<ServerResponse> json(byte[] body) {
        return ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).bodyValue(body);
    }
}
