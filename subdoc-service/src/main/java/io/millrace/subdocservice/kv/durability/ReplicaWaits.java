package io.millrace.subdocservice.kv.durability;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.CommandException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Waits until all writes made so far are on replicas or on disks. A waiting connection is blocked, so this class has its own.
 * Callers that arrive during a wait share the next one: with one fsync per second there would otherwise be one write per
 * second.
 *
 * <p>A wait says something about a write only if the connection has been there since before the write: behind it there may be
 * another Redis now, that was a replica and never had the write.
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

    /**
     * What to wait for.
     *
     * @param disks whether the active Redis and the replicas must have the writes on disk
     */
    private record Wait(boolean disks, int replicas) {

        Wait and(Wait other) {
            return new Wait(disks || other.disks, Math.max(replicas, other.replicas));
        }

        CompletionStage<Boolean> begin(RedisAsyncCommands<byte[], byte[]> commands) {
            long millis = DurabilityLimits.MAX_DURABILITY_WAIT.toMillis();
            return disks
                    ? waitaof(commands, 1, replicas, millis)
                            .thenApply(reached -> reached.get(0) >= 1 && reached.get(1) >= replicas)
                    : commands.waitForReplication(replicas, millis).thenApply(reached -> reached >= replicas);
        }
    }

    /** Callers that share a wait. */
    private static final class Group {
        final CompletableFuture<Boolean> enough = new CompletableFuture<>();
        Wait wait;

        Group(Wait wait) {
            this.wait = wait;
        }
    }

    private final RedisAccess redis;
    private final AtomicInteger interruptions = new AtomicInteger();
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection;
    private @Nullable Group next;
    private boolean waiting;

    ReplicaWaits(RedisAccess redis) {
        this.redis = redis;
    }

    /** The connection since a moment, before a write that is to be waited for. */
    final class Line {
        private final int since = interruptions.get();

        private Line() {}

        /** Completes with whether so many replicas have the writes in memory. */
        CompletableFuture<Boolean> memory(int replicas) {
            return join(new Wait(false, replicas)).thenApply(this::unbroken);
        }

        /** Completes with whether the active Redis and so many replicas have the writes on disk. */
        CompletableFuture<Boolean> disks(int replicas) {
            return join(new Wait(true, replicas)).thenApply(this::unbroken);
        }

        private boolean unbroken(boolean enough) {
            return enough && interruptions.get() == since;
        }
    }

    /** Completes as soon as there is a connection; fails if it has been lost and is not there again. */
    CompletableFuture<Line> line() {
        return open().thenApply(opened -> {
            Line line = new Line();
            if (!opened.isOpen()) {
                throw DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is not connected. Try again.");
            }
            return line;
        });
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

    private synchronized CompletableFuture<Boolean> join(Wait wait) {
        Group joined = next;
        if (joined == null) {
            joined = new Group(wait);
            next = joined;
        } else {
            joined.wait = joined.wait.and(wait);
        }
        if (!waiting) {
            begin();
        }
        return joined.enough.copy();
    }

    private void begin() {
        Group begun = next;
        if (begun == null) {
            return;
        }
        next = null;
        waiting = true;
        Wait wait = begun.wait;
        open().thenCompose(opened -> {
                    CompletionStage<String> marked = opened.async().set(MARK, new byte[0]);
                    return wait.begin(opened.async()).thenCombine(marked, (enough, done) -> enough);
                })
                .whenComplete((enough, failure) -> {
                    synchronized (this) {
                        waiting = false;
                        begin();
                    }
                    if (failure == null) {
                        begun.enough.complete(enough);
                    } else {
                        begun.enough.completeExceptionally(failure);
                    }
                });
    }

    private synchronized CompletableFuture<StatefulRedisConnection<byte[], byte[]>> open() {
        if (connection == null || connection.isCompletedExceptionally()) {
            connection = redis.openOwn()
                    .thenApply(opened -> opened.orElseThrow(() -> CommandException.of(
                            Status.DURABILITY_IMPOSSIBLE, "Durability is not supported with a Redis Cluster")))
                    .thenApply(this::observed)
                    .toCompletableFuture();
        }
        return connection;
    }

    private StatefulRedisConnection<byte[], byte[]> observed(StatefulRedisConnection<byte[], byte[]> opened) {
        opened.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                interruptions.incrementAndGet();
            }
        });
        return opened;
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
