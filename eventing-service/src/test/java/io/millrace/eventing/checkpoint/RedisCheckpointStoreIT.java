package io.millrace.eventing.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.rebalance.VbucketSet;
import io.millrace.testkit.RedisFixture;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisCheckpointStoreIT extends CheckpointStoreContract {

    private static final RedisClient CLIENT = RedisClient.create(RedisFixture.url());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);
    private final CheckpointStore store = new RedisCheckpointStore(CONNECTION::async);

    @BeforeAll
    static void forgetScripts() {
        CONNECTION.sync().scriptFlush();
    }

    @AfterAll
    static void close() {
        CLIENT.shutdown();
    }

    @Override
    CheckpointStore store() {
        return store;
    }

    @Test
    void store_ofTwoProcesses_fencesTheEarlierClaim() {
        CheckpointGroup group = new CheckpointGroup("meta", "two-processes");
        CheckpointStore other = new RedisCheckpointStore(CONNECTION::async);
        Claim first = store.claim(group, "a", VbucketSet.range(0, 0)).join();
        other.claim(group, "b", VbucketSet.range(0, 0)).join();

        List<Integer> fenced = store.save(group, List.of(new Checkpoint(0, first.epoch(), 1, "u", 1, "w", "a")))
                .join();

        assertThat(fenced).containsExactly(0);
    }

    @Test
    void call_withoutRedis_fails() {
        CheckpointStore lonely = new RedisCheckpointStore(() -> {
            throw new RedisException("not connected");
        });

        assertThatThrownBy(
                        () -> lonely.deleteAll(new CheckpointGroup("meta", "f")).join())
                .hasCauseInstanceOf(RedisException.class);
    }
}
