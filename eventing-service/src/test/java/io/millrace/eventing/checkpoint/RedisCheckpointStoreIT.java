package io.millrace.eventing.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.FlushMode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.eventing.checkpoint.CheckpointStore.Claim;
import io.millrace.rebalance.VbucketSet;
import io.millrace.redis.Bytes;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisCheckpointStoreIT extends CheckpointStoreContract {

    private static final RedisClient CLIENT = RedisClient.create(RedisFixture.url());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);
    private final CheckpointStore store =
            CheckpointStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()));

    @BeforeAll
    static void forgetFunctions() {
        CONNECTION.sync().functionFlush(FlushMode.SYNC);
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
        CheckpointStore other = CheckpointStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async()));
        Claim first = store.claim(group, "a", VbucketSet.range(0, 0)).join();
        other.claim(group, "b", VbucketSet.range(0, 0)).join();

        List<Integer> fenced = store.save(group, List.of(new Checkpoint(0, first.epoch(), 1, "u", 1, "w", "a")))
                .join();

        assertThat(fenced).containsExactly(0);
    }

    @Test
    void claimsOfAnotherRunOfRedis_areFencedUntilTheyAreRepeated() {
        String bucket = "meta-" + UUID.randomUUID();
        CheckpointGroup group = new CheckpointGroup(bucket, "f");
        store.renew(bucket, "a", Duration.ofMinutes(1)).join();
        store.renew(bucket, "b", Duration.ofMinutes(1)).join();
        Claim first = store.claim(group, "a", VbucketSet.range(0, 1)).join();
        store.save(group, List.of(new Checkpoint(0, first.epoch(), 5, "u", 1, "w", "a")))
                .join();

        CONNECTION.sync().hset(Bytes.bytes("mr:{" + bucket + ".0}:cp:f"), Bytes.bytes("run"), Bytes.bytes("another"));
        List<Integer> fenced = store.save(group, List.of(new Checkpoint(0, first.epoch(), 9, "u", 1, "w", "a")))
                .join();
        Claim other = store.claim(group, "b", VbucketSet.range(0, 2)).join();
        List<Integer> stillFenced = store.save(group, List.of(new Checkpoint(1, first.epoch(), 9, "u", 1, "w", "a")))
                .join();
        Claim again = store.claim(group, "a", VbucketSet.range(0, 1)).join();

        assertThat(fenced).containsExactly(0);
        assertThat(other.refused()).as("their owner is alive").containsOnlyKeys(0, 1);
        assertThat(stillFenced).containsExactly(1);
        assertThat(again.checkpoints()).extracting(Checkpoint::seqno).containsExactly(5L, Checkpoint.NOT_STARTED);
    }

    @Test
    void call_withoutRedis_fails() {
        CheckpointStore lonely = CheckpointStore.onRedis(() -> {
            throw new RedisException("not connected");
        });

        assertThatThrownBy(
                        () -> lonely.deleteAll(new CheckpointGroup("meta", "f")).join())
                .hasCauseInstanceOf(RedisException.class);
    }
}
