package io.millrace.eventing.lasthandled;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.testkit.RedisFixture;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;

class RedisLastHandledStoreIT extends LastHandledStoreContract {

    private static final RedisClient CLIENT = RedisClient.create(RedisFixture.url());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    private final CheckpointStore checkpoints =
            CheckpointStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()));
    private final LastHandledStore store =
            LastHandledStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()));

    @AfterAll
    static void close() {
        CLIENT.shutdown();
    }

    @Override
    LastHandledStore store() {
        return store;
    }

    @Override
    CheckpointStore checkpoints() {
        return checkpoints;
    }
}
