package io.millrace.documents.spring;

import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/** Whether Redis takes writes: it refuses them when it is full or a replica, and answers reads still. */
final class WritesHealth extends AbstractReactiveHealthIndicator {

    private final RedisAccess redis;

    WritesHealth(RedisAccess redis) {
        super("Redis does not answer");
        this.redis = redis;
    }

    @Override
    protected Mono<Health> doHealthCheck(Health.Builder builder) {
        return RedisInfo.read(redis)
                .map(info -> info.refusesWrites()
                        .map(reason -> builder.down().withDetail("reason", reason))
                        .orElseGet(builder::up)
                        .withDetail("usedMemory", info.field("used_memory"))
                        .withDetail("maxMemory", info.field("maxmemory"))
                        .build());
    }
}
