package io.millrace.eventing.idempotency;

import static io.millrace.redis.Bytes.bytes;

import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.redis.RedisLink;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Records as keys of Redis that expire. Single commands, so no Lua: a claim is a SET that wants no value. */
final class RedisAnswerStore implements AnswerStore {

    private final RedisLink redis;
    private final InstantSource clock;

    /** @param redis asked at the first call, so that construction does not connect */
    RedisAnswerStore(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis, InstantSource clock) {
        this.redis = new RedisLink(redis);
        this.clock = clock;
    }

    @Override
    public CompletableFuture<Optional<byte[]>> claim(String key, byte[] record) {
        SetArgs absent = SetArgs.Builder.nx().px(RETENTION);
        return redis.call(commands -> commands.set(answer(key), record, absent))
                .thenCompose(stored -> stored != null
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : redis.call(commands -> commands.get(answer(key)))
                                .thenCompose(found -> found == null
                                        ? claim(key, record) // its time was over between the two commands
                                        : CompletableFuture.completedFuture(unless(record, found))));
    }

    /** The client repeats a command whose answer is lost, and is then answered that the key is taken: by this claim. */
    private static Optional<byte[]> unless(byte[] record, byte[] found) {
        return Arrays.equals(found, record) ? Optional.empty() : Optional.of(found);
    }

    @Override
    public CompletableFuture<Void> replace(String key, byte[] record) {
        SetArgs present = SetArgs.Builder.xx().keepttl();
        return redis.call(commands -> commands.set(answer(key), record, present))
                .thenAccept(stored -> {});
    }

    /** Nothing else replaces the record between the two commands: only this claim does. */
    @Override
    public CompletableFuture<Void> release(String key, byte[] record) {
        return redis.call(commands -> commands.get(answer(key)))
                .thenCompose(found -> Arrays.equals(found, record)
                        ? redis.call(commands -> commands.unlink(answer(key)))
                        : CompletableFuture.completedFuture(0L))
                .thenAccept(count -> {});
    }

    @Override
    public CompletableFuture<Boolean> reserve(String function, long bytes) {
        byte[] window = bytes("mr:fn:bytes:" + function + ':' + clock.millis() / RETENTION.toMillis());
        return redis.call(commands -> commands.incrby(window, bytes))
                .thenCombine(
                        redis.call(commands -> commands.pexpire(window, RETENTION)),
                        (sum, expires) -> sum <= MAX_BYTES_PER_FUNCTION)
                .thenCompose(fits -> fits
                        ? CompletableFuture.completedFuture(true)
                        : redis.call(commands -> commands.decrby(window, bytes)).thenApply(sum -> false));
    }

    private static byte[] answer(String key) {
        return bytes("mr:fn:answer:" + key);
    }
}
