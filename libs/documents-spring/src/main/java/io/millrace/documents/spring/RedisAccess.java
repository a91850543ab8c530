package io.millrace.documents.spring;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The native Lettuce connections behind spring-data-redis: one that all commands share, one for pub/sub, and one for large
 * answers. Each is opened when it is first asked for.
 */
public final class RedisAccess {

    private static final Executor CONNECTING =
            task -> Thread.ofVirtual().name("redis-connect").start(task);

    private final LettuceConnectionFactory factory;
    private final String url;

    RedisAccess(LettuceConnectionFactory factory, String url) {
        this.factory = factory;
        this.url = url;
    }

    /**
     * Returns the URL with which another process comes to the same data: {@code redis://host:port}, or
     * {@code redis-cluster://host:port,host:port} for a cluster; it may hold a password.
     */
    public String url() {
        return url;
    }

    /** Returns the shared connection's commands without blocking; fails while Redis cannot be reached. */
    public CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
        return CompletableFuture.supplyAsync(this::awaitCommands, CONNECTING);
    }

    /** Returns the shared connection's commands; the first call connects and so blocks, and throws when it cannot. */
    @SuppressWarnings("unchecked") // documented to be these commands for a Lettuce connection
    public RedisClusterAsyncCommands<byte[], byte[]> awaitCommands() {
        try (RedisConnection connection = factory.getConnection()) {
            return (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
        }
    }

    /**
     * Opens a connection for answers that others would wait behind, and returns its commands; those of the shared connection
     * where Redis is a cluster, which has one for each node. It is closed with the application.
     */
    CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> openAside() {
        return openOwn()
                .thenCompose(own -> own.isPresent()
                        ? CompletableFuture.<RedisClusterAsyncCommands<byte[], byte[]>>completedStage(
                                own.get().async())
                        : commands());
    }

    /** Opens a connection for pub/sub, which belongs to the caller. */
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> openPubSub() {
        return CompletableFuture.supplyAsync(this::connectPubSub, CONNECTING);
    }

    /**
     * Opens a connection of the caller's own, for commands that make those behind them wait; nothing where Redis is a
     * cluster. Fails while Redis cannot be reached.
     */
    public CompletionStage<Optional<StatefulRedisConnection<byte[], byte[]>>> openOwn() {
        return CompletableFuture.supplyAsync(
                () -> factory.getRequiredNativeClient() instanceof RedisClient single
                        ? Optional.of(single.connect(ByteArrayCodec.INSTANCE))
                        : Optional.empty(),
                CONNECTING);
    }

    private StatefulRedisPubSubConnection<byte[], byte[]> connectPubSub() {
        AbstractRedisClient client = factory.getRequiredNativeClient();
        if (client instanceof RedisClusterClient cluster) {
            return cluster.connectPubSub(ByteArrayCodec.INSTANCE);
        }
        return ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
    }
}
