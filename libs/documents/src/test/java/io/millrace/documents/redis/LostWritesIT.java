package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.FlushMode;
import io.millrace.documents.Branch;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Keyspace;
import io.millrace.documents.VBuckets;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A Redis that comes back without its last writes: no number is used twice, and who saw lost changes is told so. */
class LostWritesIT {

    private static final long GAP = 1L << 24;

    private final DocumentKey key = new DocumentKey(Keyspace.of("b"), "k");

    @Test
    void promotedReplica_continuesInANewIncarnationAndFailsTheFeeds() {
        try (RedisPair redis = RedisPair.start();
                RedisKit kit = new RedisKit(redis.url());
                RedisDocumentStore store = kit.store(InstantSource.system())) {
            await(store.catalog().createBucket("b", 1));
            long survives = write(store, "1");
            ChangeFeed follower = store.changes("b", 0, 0);
            assertThat(await(follower.next(10))).hasSize(1);
            redis.awaitInStep();
            redis.cutReplication();
            long lost = write(store, "2");
            assertThat(await(follower.next(10))).hasSize(1);

            redis.failOver();

            // the old state is there again, and what is written now has numbers that were never seen
            Document found = patiently(() -> store.get(key).join().orElseThrow());
            assertThat(text(found.body())).isEqualTo("1");
            assertThat(found.seqno()).isEqualTo(survives);
            long next = patiently(() -> write(store, "3"));
            assertThat(next).isGreaterThan(lost).isGreaterThanOrEqualTo(BucketInfo.firstSeqno(1));
            assertThat(await(store.catalog().find("b")).orElseThrow().incarnation())
                    .isOne();
            assertHistoryLost(follower);
            assertHistoryLost(store.changes("b", 0, lost));
            assertThat(await(store.changes("b", 0, survives).next(10))).hasSize(1);
            assertThat(await(store.branch("b", 0)))
                    .isEqualTo(new Branch(
                            BucketInfo.firstSeqno(1), survives, kit.console().hget("mr:{b.0}:m", "run")));
        }
    }

    @Test
    void restartedRedis_leavesOutNumbersInEveryShard() {
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "always"));
                RedisKit kit = new RedisKit(redis.url());
                RedisDocumentStore store = kit.store(InstantSource.system())) {
            await(store.catalog().createBucket("b", 2));
            write(store, "1");

            redis.kill9();
            redis.restart();

            int shard = VBuckets.shardOf(key.vbucket(), 2);
            for (int each : List.of(shard, 1 - shard)) {
                assertThat(patiently(() -> store.branch("b", each).join()).first())
                        .isEqualTo(GAP + (each == shard ? 1 : 0));
            }
            assertThat(write(store, "2")).isEqualTo(GAP + 2);
            assertThat(await(store.catalog().find("b")).orElseThrow().incarnation())
                    .isZero();
            try (RedisKit another = new RedisKit(redis.url());
                    RedisDocumentStore later = another.store(InstantSource.system())) {
                another.console().functionFlush(FlushMode.SYNC);
                assertThat(write(later, "3")).isEqualTo(GAP + 3);
            }
        }
    }

    @Test
    void restartedRedis_withEverything_interruptsNoFeed() {
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "always"));
                RedisKit kit = new RedisKit(redis.url());
                RedisDocumentStore store = kit.store(InstantSource.system())) {
            await(store.catalog().createBucket("b", 1));
            ChangeFeed behind = store.changes("b", 0, 0);
            ChangeFeed follower = store.changes("b", 0, 0);
            for (int i = 0; i < 5; i++) {
                write(store, "x" + i, "1");
            }
            assertThat(ids(behind, 2)).containsExactly("x0", "x1");
            List<String> expected = new ArrayList<>(ids(follower, 10));
            for (int restart = 0; restart < 5; restart++) {
                String id = "y" + restart;
                redis.kill9();
                redis.restart();
                patiently(() -> write(store, id, "1"));
                expected.addAll(patiently(() -> ids(follower, 10)));
                assertThat(patiently(() -> follower.intact().join())).isTrue();
            }

            assertThat(expected).containsExactly("x0", "x1", "x2", "x3", "x4", "y0", "y1", "y2", "y3", "y4");
            List<String> rest = new ArrayList<>();
            while (rest.size() < 8) {
                rest.addAll(patiently(() -> ids(behind, 10)));
            }
            assertThat(rest).containsExactly("x2", "x3", "x4", "y0", "y1", "y2", "y3", "y4");
            assertThat(await(store.catalog().find("b")).orElseThrow().incarnation())
                    .isZero();
        }
    }

    /** What replaced a row that a feed passed by may be lost although the feed has not come to it. */
    @Test
    void feedThatPassedByALostState_isToldSo() {
        try (RedisPair redis = RedisPair.start();
                RedisKit kit = new RedisKit(redis.url());
                RedisDocumentStore store = kit.store(InstantSource.system())) {
            await(store.catalog().createBucket("b", 1));
            write(store, "a", "1");
            write(store, "b", "1");
            write(store, "c", "1");
            redis.awaitInStep();
            redis.cutReplication();
            write(store, "a", "2"); // its first row is gone for readers, and comes back
            ChangeFeed feed = store.changes("b", 0, 0);
            assertThat(ids(feed, 1)).containsExactly("b");

            redis.failOver();

            assertHistoryLost(feed);
            assertThat(patiently(() -> feed.intact().join())).isFalse();
        }
    }

    private List<String> ids(ChangeFeed feed, int max) {
        return await(feed.next(max)).stream()
                .map(mutation -> mutation.document().key().id())
                .toList();
    }

    private long write(DocumentStore store, String id, String body) {
        return ((WriteResult.Written)
                        await(store.write(Write.upsert(new DocumentKey(key.keyspace(), id), bytes(body)))))
                .cas();
    }

    @Test
    void bucketDroppedAfterARestart_refusesAllCallers() {
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "always"));
                RedisKit kit = new RedisKit(redis.url());
                RedisDocumentStore store = kit.store(InstantSource.system())) {
            await(store.catalog().createBucket("b", 1));
            write(store, "1");
            redis.kill9();
            redis.restart();

            patiently(() -> store.catalog().find("b").join());
            await(store.catalog().dropBucket("b"));

            assertThat(kit.console().exists("mr:{b.0}:m")).isZero();
        }
    }

    private long write(DocumentStore store, String body) {
        return ((WriteResult.Written) await(store.write(Write.upsert(key, bytes(body))))).seqno();
    }

    /** Repeats a call while Redis is away. */
    private static <T> T patiently(Supplier<T> call) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(call::get, answer -> true);
    }

    private static void assertHistoryLost(ChangeFeed feed) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThatThrownBy(() -> await(feed.next(10)))
                        .isInstanceOfSatisfying(
                                DocumentsException.class,
                                e -> assertThat(e.code()).isEqualTo(Code.HISTORY_LOST)));
    }
}
