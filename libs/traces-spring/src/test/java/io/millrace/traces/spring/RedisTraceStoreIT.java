package io.millrace.traces.spring;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.testkit.RedisFixture;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisTraceStoreIT extends TraceStoreContract {

    private static RedisClient client;
    private static StatefulRedisConnection<byte[], byte[]> connection;

    private final AtomicLong millis = new AtomicLong();
    private final InstantSource clock = () -> java.time.Instant.ofEpochMilli(millis.incrementAndGet());
    private final TraceStore store =
            new RedisTraceStore(() -> CompletableFuture.completedStage(connection.async()), KEPT, clock);

    @BeforeAll
    static void connect() {
        client = RedisClient.create(RedisFixture.url());
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    @AfterAll
    static void disconnect() {
        client.shutdown();
    }

    @Override
    TraceStore store() {
        return store;
    }
}
