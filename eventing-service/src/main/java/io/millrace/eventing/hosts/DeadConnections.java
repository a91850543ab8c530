package io.millrace.eventing.hosts;

import io.lettuce.core.KillArgs;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.redis.RedisLink;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The connections to Redis of processes that have ended. Redis may still have to receive what such a process had sent, and would
 * then carry it out after writes of its successor. Thread-safe.
 */
@FunctionalInterface
public interface DeadConnections {

    /** Leaves them to Redis. */
    DeadConnections LEFT = name -> CompletableFuture.completedFuture(0L);

    /**
     * Ends the connections with a name, on each master of a cluster. What was sent on them and not received is lost.
     *
     * @return how many there were; fails when Redis does not answer or refuses it
     */
    CompletableFuture<Long> end(String name);

    /** @param redis opens a connection: asked at the first call, and again after it failed; must not block */
    static DeadConnections onRedis(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        RedisLink link = new RedisLink(redis);
        return name -> {
            Pattern client = Pattern.compile("^id=(\\d+) .*\\bname=" + Pattern.quote(name) + " .*$", Pattern.MULTILINE);
            return link.call(commands -> sum(masters(commands).stream()
                    .map(master -> master.clientList()
                            .thenCompose(clients -> sum(client.matcher(clients)
                                    .results()
                                    .map(found -> kill(master, found))
                                    .toList())))
                    .toList()));
        };
    }

    private static Collection<? extends RedisServerAsyncCommands<byte[], byte[]>> masters(
            RedisClusterAsyncCommands<byte[], byte[]> commands) {
        return commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                ? cluster.upstream().asMap().values()
                : List.of(commands);
    }

    private static CompletionStage<Long> kill(RedisServerAsyncCommands<byte[], byte[]> master, MatchResult client) {
        return master.clientKill(KillArgs.Builder.id(Long.parseLong(client.group(1))));
    }

    private static CompletionStage<Long> sum(List<? extends CompletionStage<Long>> counts) {
        CompletionStage<Long> all = CompletableFuture.completedStage(0L);
        for (CompletionStage<Long> count : counts) {
            all = all.thenCombine(count, Long::sum);
        }
        return all;
    }
}
