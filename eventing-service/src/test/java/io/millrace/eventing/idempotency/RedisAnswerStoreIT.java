package io.millrace.eventing.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.testkit.RedisFixture;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RedisAnswerStoreIT extends AnswerStoreContract {

    private static final RedisClient CLIENT = RedisClient.create(RedisFixture.url());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    private final AnswerStore store =
            AnswerStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()), InstantSource.system());

    @AfterAll
    static void close() {
        CLIENT.shutdown();
    }

    @Override
    AnswerStore store() {
        return store;
    }

    @Test
    void keys_expire_alsoWhenTheirRecordWasReplaced() {
        String key = UUID.randomUUID().toString();
        store.claim(key, new byte[1]).join();
        store.replace(key, new byte[2]).join();
        store.reserve(key, 1).join();

        List<byte[]> keys = CONNECTION.sync().keys("mr:fn:*" + key + "*");
        assertThat(keys)
                .hasSize(2)
                .allSatisfy(
                        one -> assertThat(CONNECTION.sync().pttl(one)).isBetween(1L, AnswerStore.RETENTION.toMillis()));
    }
}
