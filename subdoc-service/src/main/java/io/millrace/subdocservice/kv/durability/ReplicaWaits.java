package io.millrace.subdocservice.kv.durability;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.CommandException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits until all writes made so far are on replicas or on disks. A waiting connection is blocked, so this class has its own.
 * Callers that arrive during a wait share the next one: with one fsync per second there would otherwise be one write per
 * second.
 */
final class ReplicaWaits implements AutoCloseable {

    /** Redis waits for the last write of the waiting connection, so it writes a mark after the writes to wait for. */
    private static final byte[] MARK = bytes("millrace:durable");

    private static final ProtocolKeyword WAITAOF = new Waitaof();

    private static final class Waitaof implements ProtocolKeyword {
        private static final byte[] NAME = ReplicaWaits.bytes("WAITAOF");

        @Override
        public byte[] getBytes() {
            return NAME;
        }
    }

    private final RedisAccess redis;
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection;
    private @Nullable CompletableFuture<Boolean> next;
    private boolean waiting;

    ReplicaWaits(RedisAccess redis) {
        this.redis = redis;
    }

    /** Completes with whether so many replicas have the writes in memory. */
    CompletableFuture<Boolean> memory(int replicas) {
        return join(commands -> commands.waitForReplication(replicas, DurabilityLimits.MAX_DURABILITY_WAIT.toMillis())
                .thenApply(reached -> reached >= replicas));
    }

    /** Completes with whether the active Redis and so many replicas have the writes on disk. */
    CompletableFuture<Boolean> disks(int replicas) {
        return join(commands -> waitaof(commands, 1, replicas, DurabilityLimits.MAX_DURABILITY_WAIT.toMillis())
                .thenApply(reached -> reached.get(0) >= 1 && reached.get(1) >= replicas));
    }

    /** Completes with whether Redis supports waiting for disks. */
    CompletionStage<Boolean> disksCanBeAwaited() {
        return open().thenCompose(opened -> waitaof(opened.async(), 0, 0, 1))
                .handle((answer, failure) -> failure == null);
    }

    private static CompletionStage<List<Long>> waitaof(
            RedisAsyncCommands<byte[], byte[]> commands, int local, int replicas, long millis) {
        return commands.dispatch(
                WAITAOF,
                new IntegerListOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE)
                        .add(local)
                        .add(replicas)
                        .add(millis));
    }

    private synchronized CompletableFuture<Boolean> join(
            Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<Boolean>> wait) {
        if (next == null) {
            next = new CompletableFuture<>();
        }
        CompletableFuture<Boolean> joined = next;
        if (!waiting) {
            begin(wait);
        }
        return joined.copy();
    }

    private void begin(Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<Boolean>> wait) {
        CompletableFuture<Boolean> begun = next;
        if (begun == null) {
            return;
        }
        next = null;
        waiting = true;
        open().thenCompose(opened -> {
                    opened.async().set(MARK, new byte[0]);
                    return wait.apply(opened.async());
                })
                .whenComplete((enough, failure) -> {
                    synchronized (this) {
                        waiting = false;
                        begin(wait);
                    }
                    if (failure == null) {
                        begun.complete(enough);
                    } else {
                        begun.completeExceptionally(failure);
                    }
                });
    }

    private synchronized CompletableFuture<StatefulRedisConnection<byte[], byte[]>> open() {
        if (connection == null || connection.isCompletedExceptionally()) {
            connection = redis.openOwn()
                    .thenApply(opened -> opened.orElseThrow(() -> CommandException.of(
                            Status.DURABILITY_IMPOSSIBLE, "Durability is not supported with a Redis Cluster")))
                    .toCompletableFuture();
        }
        return connection;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public synchronized void close() {
        if (connection != null && !connection.isCompletedExceptionally()) {
            connection.thenAccept(StatefulRedisConnection::closeAsync);
        }
    }
}
