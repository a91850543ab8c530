package io.millrace.eventing.lasthandled;

import static io.millrace.redis.Bytes.bytes;

import io.lettuce.core.KeyValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.redis.Bytes;
import io.millrace.redis.FunctionLibrary;
import io.millrace.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The states that were handled last, on Redis: a hash per function in the shard of its checkpoints, a field per
 * document.
 */
final class RedisLastHandledStore implements LastHandledStore {

    /** The Redis functions, each a file of Lua of the same name in lower case. */
    private enum Operation {
        REMEMBER
    }

    private static final FunctionLibrary<Operation> LIBRARY =
            FunctionLibrary.of("millrace_last_handled", Operation.class);

    private final RedisLink redis;

    /** @param redis asked at the first call, so that construction does not connect */
    RedisLastHandledStore(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        this.redis = new RedisLink(redis, LIBRARY);
    }

    @Override
    public CompletableFuture<Integer> remember(CheckpointGroup group, List<Handled> handled) {
        byte[][] arguments = new byte[handled.size() * 4][];
        int at = 0;
        for (Handled one : handled) {
            arguments[at++] = bytes(one.vbucket());
            arguments[at++] = bytes(one.epoch());
            arguments[at++] = bytes(one.document());
            arguments[at++] = one.state();
        }
        byte[][] keys = {key(group), bytes("mr:{" + group.metadataBucket() + ".0}:cp:" + group.functionId())};
        return redis.call(commands -> LIBRARY.<Long>list(commands, Operation.REMEMBER, keys, arguments))
                .thenApply(answer -> answer.getFirst().intValue());
    }

    @Override
    public CompletableFuture<List<byte @Nullable []>> recall(CheckpointGroup group, List<String> documents) {
        if (documents.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        byte[][] fields = documents.stream().map(Bytes::bytes).toArray(byte[][]::new);
        return redis.call(commands -> commands.hmget(key(group), fields)).thenApply(found -> {
            List<byte @Nullable []> states = new ArrayList<>(found.size());
            for (KeyValue<byte[], byte[]> one : found) {
                states.add(one.getValueOrElse(null));
            }
            return states;
        });
    }

    @Override
    public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        return redis.call(commands -> commands.unlink(key(group))).thenApply(count -> null);
    }

    private static byte[] key(CheckpointGroup group) {
        return bytes("mr:{" + group.metadataBucket() + ".0}:lh:" + group.functionId());
    }
}
