package io.millrace.eventing.deadletter;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.testkit.RedisFixture;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;

class RedisDeadLetterStoreIT extends DeadLetterStoreContract {

    private static final RedisClient CLIENT = RedisClient.create(RedisFixture.url());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    private final CheckpointStore checkpoints = CheckpointStore.onRedis(CONNECTION::async);
    private final DeadLetterStore store =
            DeadLetterStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()));

    @AfterAll
    static void close() {
        CLIENT.shutdown();
    }

    @Override
    DeadLetterStore store() {
        return store;
    }

    @Override
    CheckpointStore checkpoints() {
        return checkpoints;
    }
}
