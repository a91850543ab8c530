package io.millrace.subdocservice.moves;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.redis.RedisTls;
import io.millrace.subdocservice.moves.BucketMoves.MoveException;
import io.millrace.subdocservice.moves.BucketMoves.MoveException.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Redis that buckets move to: a single server or a cluster. */
final class TargetRedis implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Pattern RUN = Pattern.compile("run_id:(\\w+)");
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\d+)");
    private static final int OLDEST_VERSION = 7;

    private final AbstractRedisClient client;
    private final RedisChangeNotifier notifier;
    private final RedisDocumentStore store;

    private TargetRedis(
            AbstractRedisClient client,
            RedisChangeNotifier notifier,
            RedisClusterAsyncCommands<byte[], byte[]> commands) {
        this.client = client;
        this.notifier = notifier;
        this.store = new RedisDocumentStore(
                () -> CompletableFuture.completedStage(commands), notifier, InstantSource.system());
    }

    /** Connects; blocks. Throws {@link MoveException} if there is no Redis, if it is too old, or if it is the one that the
     * buckets are in. */
    static TargetRedis connect(RedisURI uri, RedisTls tls, RedisClusterAsyncCommands<byte[], byte[]> left) {
        uri.setTimeout(TIMEOUT);
        RedisClient single = RedisClient.create(uri);
        single.setOptions(ClientOptions.builder().sslOptions(tls.options()).build());
        try {
            RedisClusterAsyncCommands<byte[], byte[]> commands =
                    single.connect(ByteArrayCodec.INSTANCE).async();
            String info = BucketMoves.of(commands.info("server"));
            if (found(RUN, info).equals(found(RUN, BucketMoves.of(left.info("server"))))) {
                throw new MoveException(Kind.IMPOSSIBLE, "The buckets are in this Redis already.");
            }
            if (Integer.parseInt(found(VERSION, info)) < OLDEST_VERSION) {
                throw new MoveException(Kind.IMPOSSIBLE, "The new Redis is older than version 7.0.");
            }
            if (!info.contains("redis_mode:cluster")) {
                return new TargetRedis(
                        single,
                        new RedisChangeNotifier(() -> single.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri)),
                        commands);
            }
        } catch (RedisException e) {
            single.shutdown(Duration.ZERO, TIMEOUT);
            throw new MoveException(
                    Kind.IMPOSSIBLE,
                    "The Redis at %s:%d is not usable: %s. Check the address, the password, and the network from this service."
                            .formatted(uri.getHost(), uri.getPort(), reason(e)));
        } catch (RuntimeException e) {
            single.shutdown(Duration.ZERO, TIMEOUT);
            throw e;
        }
        single.shutdown(Duration.ZERO, TIMEOUT);
        RedisClusterClient cluster = RedisClusterClient.create(uri);
        cluster.setOptions(
                ClusterClientOptions.builder().sslOptions(tls.options()).build());
        return new TargetRedis(
                cluster,
                new RedisChangeNotifier(() ->
                        cluster.connectPubSubAsync(ByteArrayCodec.INSTANCE).thenApply(connection -> connection)),
                cluster.connect(ByteArrayCodec.INSTANCE).async());
    }

    private static String reason(RedisException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage());
    }

    private static String found(Pattern pattern, String info) {
        Matcher matcher = pattern.matcher(info);
        return matcher.find() ? matcher.group(1) : "0";
    }

    RedisDocumentStore store() {
        return store.with(SystemHandle.ALL);
    }

    @Override
    public void close() {
        store.close();
        notifier.close();
        client.shutdown(Duration.ZERO, TIMEOUT);
    }
}
