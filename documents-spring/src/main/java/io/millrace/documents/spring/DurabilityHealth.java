package io.millrace.documents.spring;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/** Says in the health of a service what a crash of Redis could lose. A volatile Redis is no failure, only said. */
final class DurabilityHealth extends AbstractReactiveHealthIndicator {

    private final RedisAccess redis;

    DurabilityHealth(RedisAccess redis) {
        super("Redis does not tell how durable it is");
        this.redis = redis;
    }

    @Override
    protected Mono<Health> doHealthCheck(Health.Builder builder) {
        return Mono.fromCompletionStage(() -> redis.commands().thenCompose(DurabilityHealth::read))
                .map(durability -> builder.up()
                        .withDetail("appendOnly", durability.appendOnly())
                        .withDetail("appendFsync", durability.sync())
                        .withDetail("evictionPolicy", durability.evictionPolicy())
                        .withDetail("replicas", durability.replicas())
                        .withDetail("loss", durability.loss())
                        .build());
    }

    /** A Redis that hides its settings, as hosted ones do, leaves them unknown. */
    private static CompletionStage<Durability> read(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        CompletionStage<Map<String, String>> settings = commands.configGet(
                        "appendonly", "appendfsync", "maxmemory-policy")
                .exceptionally(hidden -> Map.of());
        return commands.info("replication")
                .thenCombine(settings, (info, known) -> Durability.of(new LinkedHashMap<>(known), replicas(info)));
    }

    private static int replicas(String info) {
        return info.lines()
                .filter(line -> line.startsWith("connected_slaves:"))
                .mapToInt(line -> Integer.parseInt(
                        line.substring("connected_slaves:".length()).strip()))
                .findFirst()
                .orElse(0);
    }
}
