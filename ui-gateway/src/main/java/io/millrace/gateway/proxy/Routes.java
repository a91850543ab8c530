package io.millrace.gateway.proxy;

import io.github.resilience4j.common.circuitbreaker.configuration.CircuitBreakerConfigCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.httpdoor.RequestMeters;
import java.util.List;
import java.util.stream.Stream;
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

    @Bean
    @Order(10) // after the routes of the gateway itself
    RouterFunction<ServerResponse> serviceRoutes(Upstreams upstreams, Proxy proxy, OpenApiDocuments documents) {
        return RouterFunctions.route()
                .route(below(ForwardedPaths.SHARED), request -> proxy.forward(request, upstreams.eventing()))
                .route(one(ForwardedPaths.SHARED_BELOW), request -> proxy.forward(request, upstreams.subdoc()))
                .GET("/eventing/v3/api-docs", request -> documents.of(upstreams.eventing()))
                .GET("/subdoc/v3/api-docs", request -> documents.of(upstreams.subdoc()))
                .GET("/metakv/v3/api-docs", request -> documents.of(upstreams.metakv()))
                .build();
    }

    private static RequestPredicate below(List<String> prefixes) {
        return one(prefixes.stream()
                .flatMap(prefix -> Stream.of(prefix, prefix + "/**"))
                .toList());
    }

    private static RequestPredicate one(List<String> patterns) {
        return patterns.stream()
                .map(RequestPredicates::path)
                .reduce(RequestPredicate::or)
                .orElseThrow();
    }

    @Bean
    RequestMeters requestMeters(MeterRegistry registry) {
        return new RequestMeters(registry);
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
