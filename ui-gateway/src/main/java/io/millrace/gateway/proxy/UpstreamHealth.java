package io.millrace.gateway.proxy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.CompositeReactiveHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthContributor;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** The health of the services as part of the gateway's. */
@Configuration(proxyBeanMethods = false)
class UpstreamHealth {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Load balancers and people ask often; the services are asked once in this time. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    @Bean
    ReactiveHealthContributor servicesHealthContributor(Upstreams upstreams) {
        Map<String, ReactiveHealthContributor> services = new LinkedHashMap<>();
        for (Upstream upstream : upstreams.all()) {
            Mono<Health> health = check(upstream, "/actuator/health/serving").cache(KEPT);
            services.put(upstream.name(), (ReactiveHealthIndicator) () -> health);
        }
        return CompositeReactiveHealthContributor.fromMap(services);
    }

    /** A store that refuses writes still answers reads: that is not a matter of readiness. */
    @Bean
    ReactiveHealthIndicator storeHealthIndicator(Upstreams upstreams) {
        Mono<Health> health =
                check(upstreams.subdoc(), "/actuator/health/writes").cache(KEPT);
        return () -> health;
    }

    /** Asks a service for a part of its health. Serving is what it needs in order to serve: its own readiness and its Redis. */
    private static Mono<Health> check(Upstream upstream, String path) {
        return Mono.defer(() -> upstream.bare()
                        .get()
                        .uri(upstream.uri(path, null))
                        .exchangeToMono(answer -> answer.releaseBody().thenReturn(answer.statusCode())))
                .timeout(PATIENCE)
                .map(status ->
                        status.is2xxSuccessful() ? Health.up() : Health.down().withDetail("status", status.value()))
                .onErrorResume(
                        failure -> Mono.just(Health.down().withDetail("reason", String.valueOf(failure.getMessage()))))
                .map(health -> health.withDetail("url", upstream.url()).build());
    }
}
