package io.millrace.gateway.proxy;

import io.github.resilience4j.common.circuitbreaker.configuration.CircuitBreakerConfigCustomizer;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Maps paths to services. */
@Configuration(proxyBeanMethods = false)
class Routes {

    private static final List<String> EVENTING_PATHS = List.of(
            "/api/v1/functions",
            "/api/v1/status",
            "/api/v1/stats",
            "/api/v1/secrets",
            "/api/v1/list",
            "/api/v1/config",
            "/api/v1/export",
            "/api/v1/import",
            "/api/v1/backup",
            "/getAppLog",
            "/getInsight",
            "/logFileLocation",
            "/resetStatsCounters",
            "/resetNodeStatsCounters",
            "/getStatus",
            "/getRunningApps",
            "/getDeployedApps",
            "/getLocallyDeployedApps",
            "/getBootstrappingApps",
            "/getBootstrapStatus",
            "/getBootstrapAppStatus",
            "/getAggBootstrappingApps",
            "/getAggBootstrapStatus",
            "/getAggBootstrapAppStatus",
            "/getPausingApps",
            "/getErrorCodes",
            "/getOwnershipMap",
            "/getOwnedVbsForApp",
            "/getAggOwnedVbsForApp",
            "/getRebalanceProgress",
            "/getAggRebalanceProgress",
            "/getAggRebalanceStatus");
    private static final List<String> SUBDOC_PATHS = List.of(
            "/api/v1/buckets", "/api/v1/move", "/couch", "/query/service", "/admin/ping", "/admin/active_requests");
    private static final List<String> METAKV_PATHS =
            List.of("/_metakv", "/api/v1/nodes", "/api/v1/topology", "/api/v1/streams");

    @Bean
    @Order(10) // after the routes of the gateway itself
    RouterFunction<ServerResponse> serviceRoutes(Upstreams upstreams, Proxy proxy, OpenApiDocuments documents) {
        return RouterFunctions.route()
                .route(below(EVENTING_PATHS), request -> proxy.forward(request, upstreams.eventing()))
                .route(below(SUBDOC_PATHS), request -> proxy.forward(request, upstreams.subdoc()))
                .route(below(METAKV_PATHS), request -> proxy.forward(request, upstreams.metakv()))
                .GET("/eventing/v3/api-docs", request -> documents.of(upstreams.eventing()))
                .GET("/subdoc/v3/api-docs", request -> documents.of(upstreams.subdoc()))
                .GET("/metakv/v3/api-docs", request -> documents.of(upstreams.metakv()))
                .build();
    }

    private static RequestPredicate below(List<String> prefixes) {
        return prefixes.stream()
                .flatMap(prefix -> List.of(prefix, prefix + "/**").stream())
                .map(RequestPredicates::path)
                .reduce(RequestPredicate::or)
                .orElseThrow();
    }

    @Bean
    CircuitBreakerConfigCustomizer eventingBreaker() {
        return counting(Upstreams.EVENTING);
    }

    @Bean
    CircuitBreakerConfigCustomizer subdocBreaker() {
        return counting(Upstreams.SUBDOC);
    }

    @Bean
    CircuitBreakerConfigCustomizer metakvBreaker() {
        return counting(Upstreams.METAKV);
    }

    /** Counts broken connections and time-outs as failures, and responses of any status as successes. */
    private static CircuitBreakerConfigCustomizer counting(String service) {
        return CircuitBreakerConfigCustomizer.of(
                service,
                breaker -> breaker.recordException(UpstreamGuard::isOutage)
                        .ignoreException(failure -> !UpstreamGuard.isOutage(failure)));
    }
}
