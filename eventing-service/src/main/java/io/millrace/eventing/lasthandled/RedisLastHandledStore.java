package io.millrace.eventing.lasthandled;

import static io.millrace.eventing.checkpoint.Scripts.bytes;

import io.lettuce.core.KeyValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.Scripts;
import io.millrace.eventing.checkpoint.Scripts.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What was handled last, on Redis: a hash per function beside its checkpoints, a field per document. */
public final class RedisLastHandledStore implements LastHandledStore {

    private static final Script REMEMBER = Script.load("remember.lua");

    private final Scripts redis;

    /** @param redis asked at each call, so that construction does not connect */
    public RedisLastHandledStore(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        this.redis = new Scripts(redis);
    }

    @Override
    public CompletableFuture<Integer> remember(CheckpointGroup group, List<Handled> handled) {
        byte[][] arguments = new byte[handled.size() * 4][];
        int at = 0;
        for (Handled one : handled) {
            arguments[at++] = bytes(Integer.toString(one.vbucket()));
            arguments[at++] = bytes(Long.toString(one.epoch()));
            arguments[at++] = bytes(one.document());
            arguments[at++] = one.state();
        }
        byte[][] keys = {key(group), bytes("mr:{" + group.metadataBucket() + ".0}:cp:" + group.functionId())};
        return redis.run(REMEMBER, keys, arguments).thenApply(answer -> ((Long) answer.getFirst()).intValue());
    }

    @Override
    public CompletableFuture<List<byte @Nullable []>> recall(CheckpointGroup group, List<String> documents) {
        if (documents.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        byte[][] fields = documents.stream().map(Scripts::bytes).toArray(byte[][]::new);
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
