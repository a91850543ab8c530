package io.millrace.documents.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.redis.ClientTuning;
import io.millrace.testkit.RedisFixture;
import io.netty.channel.Channel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client of one Redis with what a store needs; one connection for commands, one for notifier. */
public final class RedisKit implements AutoCloseable {

    private static final ClientResources RESOURCES = ClientResources.builder()
            .reconnectDelay(Delay.constant(Duration.ofMillis(20)))
            .nettyCustomizer(new NettyCustomizer() {
                @Override
                public void afterChannelInitialized(Channel channel) {
                    ClientTuning.consolidateFlushes(channel);
                }
            })
            .build();

    private static @Nullable RedisKit shared;

    private final RedisClient client;
    private final RedisURI uri;
    public final RedisChangeNotifier notifier;
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private @Nullable StatefulRedisConnection<String, String> console;

    public RedisKit(String url) {
        this(url, Duration.ofSeconds(10));
    }

    /** @param timeout after which a call without an answer fails */
    RedisKit(String url, Duration timeout) {
        uri = RedisURI.create(url);
        uri.setTimeout(timeout);
        client = RedisClient.create(RESOURCES, uri);
        client.setOptions(
                ClientOptions.builder().timeoutOptions(TimeoutOptions.enabled()).build());
        notifier = new RedisChangeNotifier(() -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
    }

    /** Returns the kit of the Redis that all tests of this JVM share. */
    public static synchronized RedisKit shared() {
        if (shared == null) {
            shared = new RedisKit(RedisFixture.url());
        }
        return shared;
    }

    public RedisDocumentStore store(InstantSource clock) {
        return store(clock, notifier, Limits.SLOW_POLL);
    }

    RedisDocumentStore store(InstantSource clock, ChangeNotifier own, Duration slowPoll) {
        return new RedisDocumentStore(this::commands, this::commands, own, clock, slowPoll, ReadRoom.UNLIMITED);
    }

    RedisDocumentStore store(ReadRoom room) {
        return new RedisDocumentStore(this::commands, notifier, InstantSource.system(), room);
    }

    /** Returns a store that reads large documents with commands of its own. */
    RedisDocumentStore store(
            ReadRoom room, Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> aside) {
        return new RedisDocumentStore(this::commands, aside, notifier, InstantSource.system(), room);
    }

    CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
        return CompletableFuture.completedStage(connection().async());
    }

    public synchronized StatefulRedisConnection<byte[], byte[]> connection() {
        if (connection == null) {
            connection = client.connect(ByteArrayCodec.INSTANCE);
        }
        return connection;
    }

    /** Returns commands with texts, to look at what is in Redis. */
    public synchronized RedisCommands<String, String> console() {
        if (console == null) {
            console = client.connect(StringCodec.UTF8);
        }
        return console.sync();
    }

    /** Returns how often Redis was asked for a command since its statistics were reset. */
    public long calls(String command) {
        String before = "cmdstat_" + command + ":calls=";
        return console()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith(before))
                .mapToLong(line -> Long.parseLong(line.substring(before.length(), line.indexOf(','))))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        notifier.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
