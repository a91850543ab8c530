package io.millrace.documents.spring;

import java.time.Duration;
import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/** Reports in the health of a service what a crash of Redis could lose. A volatile Redis is reported, but is not a failure. */
final class DurabilityHealth extends AbstractReactiveHealthIndicator {

    /** An unreachable Redis must not delay the health endpoint by a command's time-out. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(2);

    private final RedisAccess redis;

    DurabilityHealth(RedisAccess redis) {
        super("Redis does not tell how durable it is");
        this.redis = redis;
    }

    @Override
    protected Mono<Health> doHealthCheck(Health.Builder builder) {
        return Mono.fromCompletionStage(() -> redis.commands().thenCompose(Durability::read))
                .timeout(TIME_LIMIT)
                .map(durability -> builder.up()
                        .withDetail("appendOnly", durability.appendOnly())
                        .withDetail("appendFsync", durability.sync())
                        .withDetail("evictionPolicy", durability.evictionPolicy())
                        .withDetail("replicas", durability.replicas())
                        .withDetail("loss", durability.loss())
                        .build());
    }
}
