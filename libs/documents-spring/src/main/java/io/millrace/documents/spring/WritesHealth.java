package io.millrace.documents.spring;

import java.util.Optional;
import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/**
 * Whether Redis takes writes, and has the data still: it refuses writes when it is full or a replica, and answers reads then.
 */
final class WritesHealth extends AbstractReactiveHealthIndicator {

    private static final String EMPTIED =
            "The data that this service knew are not in Redis any more: it was emptied, or another one is at its"
                    + " address. Restore a backup, or correct the address. To go on with what is there, restart the"
                    + " services.";

    private final RedisAccess redis;
    private final StoreMark mark = new StoreMark();

    WritesHealth(RedisAccess redis) {
        this.redis = redis;
    }

    @Override
    protected Mono<Health> doHealthCheck(Health.Builder builder) {
        Mono<Boolean> marked = Mono.fromCompletionStage(() -> redis.commands().thenCompose(mark::isThere))
                .timeout(RedisInfo.TIME_LIMIT);
        return RedisInfo.read(redis)
                .zipWith(
                        marked,
                        (info, there) -> info.refusesWrites()
                                .or(() -> there ? Optional.empty() : Optional.of(EMPTIED))
                                .map(reason -> builder.down().withDetail("reason", reason))
                                .orElseGet(builder::up)
                                .withDetail("usedMemory", info.field("used_memory"))
                                .withDetail("maxMemory", info.field("maxmemory"))
                                .build())
                .onErrorResume(failure -> Mono.just(RedisInfo.unanswered(builder, failure)));
    }
}
