package io.millrace.gateway.proxy;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.gateway.fastpath.ServicePool;
import io.millrace.gateway.limits.FeedLimit;
import io.millrace.gateway.limits.InFlightLimit;
import io.netty.channel.ChannelOption;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.HttpResources;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.TcpClient;

/** The services behind the gateway. */
@Component
public final class Upstreams {

    private static final Logger LOG = LoggerFactory.getLogger(Upstreams.class);

    /** For calls that are not limited: health checks, archives, OpenAPI documents. */
    private static final int CONNECTIONS_OF_THE_GATEWAY = 100;

    /** Shorter than the services keep idle connections: a connection must not be used while the service closes it. */
    private static final Duration IDLE_CONNECTION = Duration.ofSeconds(30);

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    static final String EVENTING = "eventing-service";
    static final String SUBDOC = "subdoc-service";
    static final String METAKV = "metakv-service";

    private final Upstream eventing;
    private final Upstream functions;
    private final Upstream subdoc;
    private final Upstream metakv;
    private final Map<String, Upstream> byPath;

    Upstreams(
            @Value("${millrace.eventing.url}") String eventingUrl,
            @Value("${millrace.subdoc.url}") String subdocUrl,
            @Value("${millrace.metakv.url}") String metakvUrl,
            ProxySettings settings,
            WebClient.Builder clients,
            CircuitBreakerRegistry breakers,
            ClusterIdentity identity) {
        WebClient.Builder builder = clients.filter(PassedSubject.filter(identity));
        this.eventing = upstream(EVENTING, eventingUrl, settings, builder, breakers);
        this.functions = connected(EVENTING, EVENTING + "-requests", eventingUrl, settings, builder, breakers);
        this.subdoc = upstream(SUBDOC, subdocUrl, settings, builder, breakers);
        this.metakv = upstream(METAKV, metakvUrl, settings, builder, breakers);
        this.byPath = ForwardedPaths.table(eventing, functions, subdoc, metakv);
    }

    private static Upstream upstream(
            String name,
            String url,
            ProxySettings settings,
            WebClient.Builder builder,
            CircuitBreakerRegistry breakers) {
        breakers.circuitBreaker(name)
                .getEventPublisher()
                .onStateTransition(event -> LOG.warn(
                        "event=breaker_changed service={} state={} previous_state={}",
                        name,
                        event.getStateTransition().getToState(),
                        event.getStateTransition().getFromState()));
        return connected(name, name, url, settings, builder, breakers);
    }

    /** Returns a service with limits and connections of its own; all with one name share the circuit breaker. */
    private static Upstream connected(
            String name,
            String pool,
            String url,
            ProxySettings settings,
            WebClient.Builder builder,
            CircuitBreakerRegistry breakers) {
        CircuitBreaker breaker = breakers.circuitBreaker(name);
        String base = url.replaceAll("/+$", "");
        WebClient.Builder bare = builder.clone()
                .clientConnector(new ReactorClientHttpConnector(
                        connections(pool + "-own", settings.maxInFlight() + CONNECTIONS_OF_THE_GATEWAY, settings)));
        var liveness =
                new LivenessWatch(livenessOf(bare.build(), base).doOnNext(answer -> closeHalfOpen(breaker)), readers());
        var guard = new UpstreamGuard(name, base, breaker, settings.answerTimeout(), liveness);
        return new Upstream(
                name,
                base,
                bare.clone().filter(guard).build(),
                new Connections(() -> connections(pool, settings.maxInFlight() + InFlightLimit.RESERVE, settings)),
                new Connections(() -> connections(pool + "-feeds", settings.maxFeeds(), settings)),
                guard,
                new ServicePool(connector(settings, URI.create(base)), URI.create(base), IDLE_CONNECTION),
                bare.build(),
                new InFlightLimit(settings.minInFlight(), settings.maxInFlight(), System::nanoTime),
                new FeedLimit(settings.maxFeeds(), settings.maxFeedsPerClient()));
    }

    /** Returns the threads that read the responses of services. */
    static Scheduler readers() {
        return Schedulers.fromExecutor(HttpResources.get().onClient(true));
    }

    private static Mono<?> livenessOf(WebClient service, String base) {
        return service.get()
                .uri(URI.create(base + "/actuator/health/liveness"))
                .exchangeToMono(answer -> answer.releaseBody().thenReturn(answer.statusCode()));
    }

    /** The few calls that a half-open breaker permits may be slow ones; the others must not wait until they end. */
    private static void closeHalfOpen(CircuitBreaker breaker) {
        if (breaker.getState() == CircuitBreaker.State.HALF_OPEN) {
            breaker.transitionToClosedState();
        }
    }

    /** The limits of requests and feeds are below those of connections, so no request waits for a connection. */
    private static HttpClient connections(String pool, int connections, ProxySettings settings) {
        ConnectionProvider provider = ConnectionProvider.builder(pool)
                .maxConnections(connections)
                .maxIdleTime(IDLE_CONNECTION)
                .pendingAcquireTimeout(settings.connectTimeout())
                .build();
        return trusting(HttpClient.create(provider), settings.tlsCa())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis())
                .disableRetry(true); // a streamed body cannot be sent twice, and not every request may be repeated
    }

    private static TcpClient connector(ProxySettings settings, URI service) {
        boolean secure = "https".equals(service.getScheme());
        int port = service.getPort() >= 0 ? service.getPort() : secure ? HTTPS_PORT : HTTP_PORT;
        TcpClient client = TcpClient.create(ConnectionProvider.newConnection())
                .host(service.getHost())
                .port(port)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis());
        return secure ? client.secure(tls -> tls.sslContext(trust(settings.tlsCa()))) : client;
    }

    /** Trusts the services' own authority, if there is one; it matters for https URLs only. */
    private static HttpClient trusting(HttpClient client, String authority) {
        if (authority.isBlank()) {
            return client;
        }
        return client.secure(tls -> tls.sslContext(trust(authority)));
    }

    private static Http11SslContextSpec trust(String authority) {
        Http11SslContextSpec usual = Http11SslContextSpec.forClient();
        return authority.isBlank()
                ? usual
                : usual.configure(builder ->
                        builder.trustManager(Path.of(authority.strip()).toFile()));
    }

    /** Returns the service that a request is passed on to, or null if it is for the gateway itself. */
    @Nullable
    Upstream of(ServerHttpRequest request) {
        return ForwardedPaths.find(byPath, request.getPath().pathWithinApplication());
    }

    public Upstream eventing() {
        return eventing;
    }

    /** Returns the service that runs functions, for requests to them. */
    Upstream functions() {
        return functions;
    }

    Upstream subdoc() {
        return subdoc;
    }

    Upstream metakv() {
        return metakv;
    }

    List<Upstream> all() {
        return List.of(eventing, subdoc, metakv);
    }
}
