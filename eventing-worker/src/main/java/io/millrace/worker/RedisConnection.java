package io.millrace.worker;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The one connection of a worker to Redis: all threads share it, so that their commands travel in common packets, and it
 * comes back by itself.
 */
final class RedisConnection {

    /** Commands that are written without a flush between them; what Millrace measured as best (DESIGN.md). */
    private static final int COMMANDS_PER_FLUSH = 256;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration FIRST_CONNECT_PAUSE = Duration.ofMillis(200);
    private static final int THREADS = 2;

    private RedisConnection() {}

    /** Connects, and waits for a Redis that is away until there is one. */
    static StatefulRedisConnection<byte[], byte[]> open(String uri) {
        RedisClient client = RedisClient.create(resources(), RedisURI.create(uri));
        client.setOptions(ClientOptions.builder()
                .autoReconnect(true)
                .timeoutOptions(TimeoutOptions.enabled(WorkerLimits.COMMAND_TIMEOUT))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .keepAlive(true)
                        .tcpNoDelay(true)
                        .build())
                .build());
        while (true) {
            try {
                return client.connect(ByteArrayCodec.INSTANCE);
            } catch (RedisException e) {
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(FIRST_CONNECT_PAUSE);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts a worker that starts", e);
        }
    }

    private static ClientResources resources() {
        return ClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .reconnectDelay(
                        Delay.exponential(Duration.ofMillis(10), Duration.ofMillis(500), 2, TimeUnit.MILLISECONDS))
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channel.pipeline().addFirst(new FlushConsolidationHandler(COMMANDS_PER_FLUSH, true));
                    }
                })
                .build();
    }
}
