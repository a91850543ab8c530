package io.millrace.worker.bindings;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.redis.ClientTuning;
import io.millrace.redis.RedisTls;
import io.millrace.timers.redis.RedisTimerStore;
import io.millrace.worker.WorkerLimits;
import io.millrace.worker.messages.RedisMessageStore;
import io.millrace.worker.report.ConnectionReports;
import io.netty.channel.Channel;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The document store of a worker: one connection to Redis, or one to each node of a cluster, which all threads share so
 * that their commands share packets, and which reconnects by itself.
 */
public final class RedisStore implements WorkerStore {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** The part of a cluster's URI after its scheme. */
    private static final String CLUSTER = "-cluster://";

    private final AbstractRedisClient client;
    private final Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> connector;
    private final ConnectionReports connections;
    private final RedisDocumentStore documents;
    private final RedisTimerStore timers;
    private final RedisMessageStore messages;
    private @Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connection;

    /** The event loop of the newest connection; before there is one, any event loop. */
    private volatile Executor networkThread = ForkJoinPool.commonPool();

    /**
     * Connects in the background, and retries while Redis is away.
     *
     * @param uri {@code redis://host:port}, or {@code redis-cluster://host:port,host:port} for a cluster; {@code rediss} for TLS
     * @param tls how connections with TLS are made
     * @param name the name of its connections in Redis
     */
    public RedisStore(String uri, RedisTls tls, String name) {
        List<RedisURI> addresses;
        if (uri.contains(CLUSTER)) {
            addresses = RedisClusterURIUtil.toRedisURIs(URI.create(uri.replace(CLUSTER, "://")));
            addresses.forEach(address -> address.setClientName(name));
            RedisClusterClient cluster = RedisClusterClient.create(resources(), addresses);
            cluster.setOptions(clusterOptions(tls));
            client = cluster;
            // Lettuce reads the nodes of a cluster in the thread that connects
            connector = () -> CompletableFuture.supplyAsync(
                    () -> cluster.connect(ByteArrayCodec.INSTANCE).async(),
                    task -> Thread.ofVirtual().name("redis-connect").start(task));
        } else {
            RedisURI address = RedisURI.create(uri);
            address.setClientName(name);
            RedisClient single = RedisClient.create(resources(), address);
            single.setOptions(with(tls, ClientOptions.builder()).build());
            addresses = List.of(address);
            client = single;
            connector = () ->
                    single.connectAsync(ByteArrayCodec.INSTANCE, address).thenApply(StatefulRedisConnection::async);
        }
        connections = new ConnectionReports(
                addresses.stream()
                        .map(address -> address.getHost() + ":" + address.getPort())
                        .collect(Collectors.joining(",")),
                System::nanoTime,
                System.out::println);
        client.addListener(connections);
        documents = new RedisDocumentStore(this::connected, ChangeNotifier.SILENT, InstantSource.system());
        timers = new RedisTimerStore(this::connected);
        messages = new RedisMessageStore(this::connected);
    }

    private static ClientOptions.Builder with(RedisTls tls, ClientOptions.Builder options) {
        ClientTuning.queueInArray(options);
        return options.autoReconnect(true)
                .sslOptions(tls.options())
                .timeoutOptions(TimeoutOptions.enabled(WorkerLimits.COMMAND_TIMEOUT))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .keepAlive(true)
                        .tcpNoDelay(true)
                        .build());
    }

    private static ClusterClientOptions clusterOptions(RedisTls tls) {
        ClusterClientOptions.Builder options = ClusterClientOptions.builder();
        with(tls, options);
        return options.topologyRefreshOptions(ClientTuning.clusterRefresh().build())
                .build();
    }

    /** Returns the one connection; one that could not be made is tried again. */
    private synchronized CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> connected() {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> made = connection;
        if (made == null || made.isCompletedExceptionally()) {
            made = connector.get().toCompletableFuture();
            connection = made;
        }
        return made;
    }

    @Override
    public DocumentStore documents() {
        return documents;
    }

    /** Returns a queue that makes its calls on the connection's own thread, which saves a wake-up for each. */
    @Override
    public StoreQueue queue() {
        return new StoreQueue(documents, timers, messages, call -> networkThread.execute(call));
    }

    @Override
    public void close() {
        connections.close();
        documents.close();
        ClientResources resources = client.getResources();
        client.shutdown();
        resources.shutdown();
    }

    private ClientResources resources() {
        return ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(ClientTuning.reconnectDelay())
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        ClientTuning.consolidateFlushes(channel);
                        networkThread = channel.eventLoop();
                    }
                })
                .build();
    }
}
