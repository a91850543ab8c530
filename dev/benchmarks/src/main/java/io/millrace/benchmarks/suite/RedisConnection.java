package io.millrace.benchmarks.suite;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.redis.ClientTuning;
import io.netty.channel.Channel;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A connection configured as those of the services. */
public final class RedisConnection implements AutoCloseable {

    private final ClientResources resources;
    private final RedisClient client;
    private final RedisURI uri;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    private RedisConnection(String url) {
        resources = ClientResources.builder()
                .reconnectDelay(ClientTuning.reconnectDelay()) // otherwise an outage is measured up to twice as long
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        ClientTuning.consolidateFlushes(channel);
                    }
                })
                .build();
        client = RedisClient.create(resources);
        uri = RedisURI.create(url);
        connection = client.connect(ByteArrayCodec.INSTANCE, uri);
    }

    public static RedisConnection open(String url) {
        return new RedisConnection(url);
    }

    public RedisAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    public RedisDocumentStore documentStore() {
        RedisChangeNotifier notifier =
                new RedisChangeNotifier(() -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
        return new RedisDocumentStore(
                () -> CompletableFuture.completedFuture(connection.async()), notifier, InstantSource.system());
    }

    /** Returns the process id of the server. */
    public long pid() {
        return number("server", "process_id:");
    }

    /** Returns the memory in bytes that the server has allocated. */
    public long usedMemory() {
        return number("memory", "used_memory:");
    }

    /** Returns how often the server was asked for a command so far, in lower case. */
    public long calls(String command) {
        return RedisReads.of(connection.sync().info("commandstats"), Set.of(command))
                .calls();
    }

    /** Returns what the server has read so far. */
    public RedisReads reads() {
        return RedisReads.soFar(connection.sync());
    }

    /** Returns the CPU time of the server in microseconds, with higher resolution than the process time of the system. */
    public long cpuMicros() {
        return connection
                .sync()
                .info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToLong(line -> Math.round(1e6 * Double.parseDouble(line.substring(line.indexOf(':') + 1))))
                .sum();
    }

    private long number(String section, String name) {
        return connection
                .sync()
                .info(section)
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        client.shutdown();
        resources.shutdown();
    }
}
