package io.millrace.documents.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.OwnRedis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Moves of a bucket during which a Redis fails. */
class BucketMoveFaultsIT {

    private static final String BUCKET = "moving";
    private static final int SHARDS = 4;
    private static final Duration TIMEOUT = Duration.ofMillis(300);

    private final OwnRedis oldRedis = OwnRedis.startVolatile();
    private final OwnRedis newRedis = OwnRedis.startVolatile();
    private final FlakyProxy proxy = FlakyProxy.to("127.0.0.1", oldRedis.port());
    private final RedisKit oldKit = new RedisKit(oldRedis.url());
    private final RedisKit movingKit = new RedisKit(proxy.redisUrl(), TIMEOUT);
    private final RedisKit newKit = new RedisKit(newRedis.url());
    private final RedisDocumentStore before = oldKit.store(InstantSource.system());
    private final RedisDocumentStore leaving = movingKit.store(InstantSource.system());
    private final RedisDocumentStore after = newKit.store(InstantSource.system());

    @BeforeEach
    void connect() {
        before.catalog().createBucket(BUCKET, SHARDS).join();
        leaving.catalog().list().join();
        after.catalog().list().join();
        writeToEachShard();
    }

    @AfterEach
    void stop() {
        oldKit.close();
        movingKit.close();
        newKit.close();
        proxy.close();
        oldRedis.close();
        newRedis.close();
    }

    @Test
    void sourceCutOffWhileWritersAreRefused_acceptsWritesWhenItIsBack() throws Exception {
        CompletableFuture<BucketMove.Result> finishing =
                cutOff(new BucketMove(leaving, after, BUCKET, Duration.ofMinutes(1)));
        assertThatThrownBy(() -> finishing.get(5 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        proxy.up();

        assertThatThrownBy(() -> finishing.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("Redis does not answer")
                .hasMessageNotContaining("still refused");
        writeToEachShard();
    }

    @Test
    void sourceCutOffForTooLong_failsWithWhatToDo() {
        BucketMove move = new BucketMove(leaving, after, BUCKET, Duration.ZERO);
        CompletableFuture<BucketMove.Result> finishing = cutOff(move);

        assertThatThrownBy(finishing::join)
                .cause()
                .isInstanceOf(DocumentsException.class)
                .hasMessageContaining("Writes to bucket 'moving' are still refused")
                .hasMessageContaining("repeat the move or abandon it");
        assertThat(move.refusesWriters()).isTrue();
        proxy.up();
        BucketMove.abandon(before, BUCKET);
        writeToEachShard();
    }

    /** Prepares and finishes a move; the source goes down when writers are refused. */
    private CompletableFuture<BucketMove.Result> cutOff(BucketMove move) {
        move.prepare();
        CompletableFuture<?> copying = proxy.delay("ZRANGEBYSCORE");
        CompletableFuture<BucketMove.Result> finishing = CompletableFuture.supplyAsync(move::finish);
        copying.orTimeout(1, TimeUnit.MINUTES).join();
        for (int shard = 0; shard < SHARDS; shard++) {
            assertThat(oldKit.console().hget("mr:{moving." + shard + "}:m", "gate"))
                    .startsWith("~");
        }
        proxy.down();
        return finishing;
    }

    private void writeToEachShard() {
        for (int i = 0; i < 10 * SHARDS; i++) {
            DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "d" + i);
            assertThat(before.write(Write.upsert(key, "{}".getBytes(UTF_8))).join())
                    .isInstanceOf(WriteResult.Written.class);
        }
    }
}
