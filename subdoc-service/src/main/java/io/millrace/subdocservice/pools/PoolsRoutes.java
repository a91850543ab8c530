package io.millrace.subdocservice.pools;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.cluster.ClusterConfig;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.users.CertificateUser;
import io.millrace.subdocservice.users.Logins;
import io.millrace.users.UserDirectory;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
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

/** The paths of the cluster manager: below {@code /pools}, and those of users. They need a login. */
final class PoolsRoutes {

    private static final String POOL = "/pools/default";
    private static final String BUCKETS = POOL + "/buckets";
    private static final String BUCKET = BUCKETS + "/{bucket}";
    private static final String SCOPES = BUCKET + "/scopes";
    private static final String SCOPE = SCOPES + "/{scope}";
    private static final String COLLECTION = SCOPE + "/collections/{collection}";

    private static final String STREAM_END = "\n\n\n\n";
    private static final Duration STREAM_PERIOD = Duration.ofSeconds(10);

    private final DocumentStore store;
    private final Cluster cluster;
    private final Logins logins;
    private final UserDirectory users;
    private final Requester requester;

    PoolsRoutes(DocumentStore store, Cluster cluster, Logins logins, UserDirectory users, Requester requester) {
        this.store = store;
        this.cluster = cluster;
        this.logins = logins;
        this.users = users;
        this.requester = requester;
    }

    RouterFunction<ServerResponse> router() {
        RouterFunctions.Builder routes = RouterFunctions.route()
                .GET("/pools", known((config, request) -> json(config.pools(isAdministrator(request)))))
                .GET(POOL, known((config, request) -> json(config.pool())))
                .GET(POOL + "/nodeServices", known((config, request) -> json(config.nodeServices())))
                .GET(POOL + "/b/{bucket}", bucket((config, bucket) -> json(config.bucket(bucket))))
                .GET(POOL + "/bs/{bucket}", known(this::stream));
        buckets(routes);
        collections(routes);
        new UserManagement(users, requester).addTo(routes);
        return routes.filter(this::afterLogin).build();
    }

    /** Returns what answers the requests that no other route takes. */
    RouterFunction<ServerResponse> elsewhere() {
        return Elsewhere.routes().filter(this::afterLogin).build();
    }

    private Mono<ServerResponse> afterLogin(ServerRequest request, HandlerFunction<ServerResponse> next) {
        return admitted(request) ? next.handle(request) : logIn();
    }

    /** SDKs differ in whether they end the path of the list with a slash. */
    private void buckets(RouterFunctions.Builder routes) {
        BucketManagement management = new BucketManagement(store);
        HandlerFunction<ServerResponse> list =
                known((config, request) -> management.list(config, requester.subject(request)));
        HandlerFunction<ServerResponse> create = answered(management::create);
        routes.GET(BUCKETS, list)
                .GET(BUCKETS + "/", list)
                .POST(BUCKETS, create)
                .POST(BUCKETS + "/", create)
                .GET(BUCKET, bucket(management::get))
                .POST(BUCKET, answered(management::update))
                .DELETE(BUCKET, answered(management::drop))
                .POST(BUCKET + "/controller/doFlush", answered(management::flush));
    }

    private void collections(RouterFunctions.Builder routes) {
        CollectionManagement management = new CollectionManagement(store.catalog());
        routes.GET(SCOPES, bucket((config, bucket) -> CollectionManagement.manifest(bucket)))
                .POST(SCOPES, management::createScope)
                .DELETE(SCOPE, management::dropScope)
                .POST(SCOPE + "/collections", management::createCollection)
                .PATCH(COLLECTION, management::updateCollection)
                .DELETE(COLLECTION, management::dropCollection);
    }

    private static HandlerFunction<ServerResponse> answered(HandlerFunction<ServerResponse> handler) {
        return request -> handler.handle(request)
                .onErrorResume(DocumentsException.class, failure -> ManagementAnswers.failure(failure, "", ""));
    }

    private boolean admitted(ServerRequest request) {
        return requester.subject(request).known()
                || certified(request.exchange().getRequest().getSslInfo());
    }

    /** Whether the requester may manage the cluster and its users, which only the role {@code admin} grants together. */
    private boolean isAdministrator(ServerRequest request) {
        Subject subject = requester.subject(request);
        return Access.allowed(subject, Permission.CLUSTER_MANAGE, new Resource.Cluster())
                && Access.allowed(subject, Permission.SECURITY_MANAGE, new Resource.Cluster());
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

    private HandlerFunction<ServerResponse> bucket(BiFunction<ClusterConfig, BucketInfo, Mono<ServerResponse>> shown) {
        return answered(known((config, request) -> find(request)
                .flatMap(bucket -> shown.apply(config, bucket))
                .switchIfEmpty(Mono.defer(ManagementAnswers::noBucket))));
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

    /** Sends the configuration of the bucket periodically, as long as the bucket exists. */
    private Mono<ServerResponse> stream(ClusterConfig config, ServerRequest request) {
        Flux<String> configs = Flux.interval(Duration.ZERO, STREAM_PERIOD)
                .onBackpressureDrop()
                .concatMap(tick -> find(request).singleOptional(), 1)
                .takeWhile(Optional::isPresent)
                .map(bucket -> text(config, bucket.orElseThrow()));
        return find(request)
                .flatMap(bucket ->
                        ServerResponse.ok().contentType(MediaType.TEXT_PLAIN).body(configs, String.class))
                .switchIfEmpty(Mono.defer(ManagementAnswers::noBucket));
    }

    private static String text(ClusterConfig config, BucketInfo bucket) {
        return new String(config.bucket(bucket), StandardCharsets.UTF_8) + STREAM_END;
    }

    private static Mono<ServerResponse> json(byte[] body) {
        return ManagementAnswers.json(HttpStatus.OK, body);
    }
}
