package io.millrace.eventing.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisFixture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RedisDeadLetterStoreIT extends DeadLetterStoreContract {

    private static final RedisClient CLIENT = RedisClient.create(RedisFixture.url());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    private static final RedisChangeNotifier NOTIFIER = new RedisChangeNotifier(
            () -> CLIENT.connectPubSubAsync(ByteArrayCodec.INSTANCE, RedisURI.create(RedisFixture.url())));

    private final CheckpointStore checkpoints =
            CheckpointStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()));
    private final DeadLetterStore store =
            DeadLetterStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()), NOTIFIER);

    @AfterAll
    static void close() {
        NOTIFIER.close();
        CLIENT.shutdown();
    }

    @Test
    void drop_whenMemoryIsFull_isDone() {
        CheckpointGroup group = new CheckpointGroup("meta", "f");
        try (OwnRedis full = OwnRedis.startVolatile();
                RedisClient client = RedisClient.create(full.url());
                StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            DeadLetterStore letters =
                    DeadLetterStore.onRedis(() -> CompletableFuture.completedFuture(connection.async()), NOTIFIER);
            letters.drop(group, List.of("1-1")).join(); // loads the functions
            connection.sync().configSet("maxmemory", "1");

            assertThat(letters.drop(group, List.of("1-1")).join()).isZero();
        }
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
