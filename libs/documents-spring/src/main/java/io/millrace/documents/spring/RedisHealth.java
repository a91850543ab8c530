package io.millrace.documents.spring;

import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/** Whether Redis answers. {@code run} changes when Redis was restarted or replaced. */
final class RedisHealth extends AbstractReactiveHealthIndicator {

    private final RedisAccess redis;

    RedisHealth(RedisAccess redis) {
        this.redis = redis;
    }

    @Override
    protected Mono<Health> doHealthCheck(Health.Builder builder) {
        return RedisInfo.read(redis)
                .map(info -> (info.field("loading").equals("1") ? builder.down() : builder.up())
                        .withDetail("version", info.field("redis_version"))
                        .withDetail("run", info.field("run_id"))
                        .withDetail("loading", info.field("loading").equals("1"))
                        .build())
                .onErrorResume(failure -> Mono.just(RedisInfo.unanswered(builder, failure)));
    }
}
