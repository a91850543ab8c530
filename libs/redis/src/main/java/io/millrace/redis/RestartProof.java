package io.millrace.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a Redis says about whether its latest restart can have lost anything that it had acknowledged. */
public final class RestartProof {

    private static final String NEVER_A_REPLICA = "master_replid2:" + "0".repeat(40);

    private RestartProof() {}

    /**
     * Returns whether it cannot. A Redis that refuses to say, as hosted ones do, proves nothing; one that cannot be reached, as it
     * is restarted once more, is to be asked again: then the stage fails.
     */
    public static CompletionStage<Boolean> ask(RedisClusterAsyncCommands<byte[], byte[]> redis) {
        CompletionStage<Map<String, String>> settings = redis.configGet("appendonly", "appendfsync");
        CompletionStage<String> replication = redis.info("replication");
        CompletionStage<String> client = redis.clientInfo();
        return settings.thenCombine(
                        replication,
                        (known, info) -> info.contains(NEVER_A_REPLICA) && "yes".equals(known.get("appendonly"))
                                ? known.getOrDefault("appendfsync", "")
                                : "")
                .thenCombine(client, (sync, info) -> sync.equals("always") || sync.equals("everysec") && here(info))
                .exceptionallyCompose(RestartProof::hidden);
    }

    /** What it means that Redis did not answer one of the questions. */
    static CompletionStage<Boolean> hidden(Throwable failure) {
        return RedisFailure.of(failure).kind() == RedisFailure.Kind.UNAVAILABLE
                ? CompletableFuture.failedStage(failure)
                : CompletableFuture.completedStage(false);
    }

    /** Whether the address at which the server has taken this connection belongs to this machine alone. */
    private static boolean here(String client) {
        for (String field : client.split(" ")) {
            if (field.startsWith("laddr=")) {
                return field.startsWith("laddr=127.") || field.startsWith("laddr=[::1]");
            }
        }
        return false;
    }
}
