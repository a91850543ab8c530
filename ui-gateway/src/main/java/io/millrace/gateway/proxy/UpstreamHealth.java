package io.millrace.gateway.proxy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeReactiveHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthContributor;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatusCode;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

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

    /**
     * Whether the store takes writes, and what a crash of it would lose. A store that refuses writes still answers reads: that
     * is not a matter of readiness.
     */
    @Bean
    ReactiveHealthIndicator storeHealthIndicator(Upstreams upstreams) {
        Upstream subdoc = upstreams.subdoc();
        Mono<Health> health = Mono.zip(
                        check(subdoc, "/actuator/health/writes"),
                        details(subdoc, "/actuator/health/writes"),
                        details(subdoc, "/actuator/health/durability"))
                .map(parts -> Health.status(parts.getT1().getStatus())
                        .withDetails(parts.getT1().getDetails())
                        .withDetails(parts.getT2())
                        .withDetails(parts.getT3())
                        .build())
                .cache(KEPT);
        return () -> health;
    }

    /** What a service says about a part of its health; nothing if it does not answer. */
    private static Mono<Map<String, Object>> details(Upstream upstream, String path) {
        return Mono.defer(() -> upstream.bare()
                        .get()
                        .uri(upstream.uri(path, null))
                        .exchangeToMono(answer -> answer.bodyToMono(Part.class)))
                .map(part -> Objects.requireNonNullElse(part.details(), Map.<String, Object>of()))
                .onErrorReturn(Map.of()) // before the time-out: what fails after that would be logged with its stack
                .timeout(PATIENCE, Mono.just(Map.of()))
                .defaultIfEmpty(Map.of());
    }

    /** The member of a service's health that the gateway passes on. */
    private record Part(@Nullable Map<String, Object> details) {}

    /** Asks a service for a part of its health. Serving is what it needs in order to serve: its own readiness and its Redis. */
    private static Mono<Health> check(Upstream upstream, String path) {
        Mono<HttpStatusCode> answer = Mono.defer(() -> upstream.bare()
                .get()
                .uri(upstream.uri(path, null))
                .exchangeToMono(response -> response.releaseBody().thenReturn(response.statusCode())));
        return inTime(answer, Upstreams.readers())
                .map(health -> health.withDetail("url", upstream.url()).build());
    }

    /**
     * Judges by an answer. A machine that is so busy that this process does not get to read answers does not make services look
     * down, one after the other.
     */
    static Mono<Health.Builder> inTime(Mono<HttpStatusCode> answer, Scheduler readers) {
        return answer.map(status ->
                        status.is2xxSuccessful() ? Health.up() : Health.down().withDetail("status", status.value()))
                .onErrorResume(
                        failure -> Mono.just(Health.down().withDetail("reason", String.valueOf(failure.getMessage()))))
                .timeout(
                        Looks.after(PATIENCE, readers),
                        Mono.fromSupplier(() -> Health.down()
                                .withDetail("reason", "no answer within %d s".formatted(PATIENCE.toSeconds()))));
    }
}
