package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.FlushMode;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.VBuckets;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.testkit.OwnRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Redis that loses or refuses what it should not. */
class RedisFaultsIT {

    private final OwnRedis redis = OwnRedis.startVolatile();
    private final RedisKit kit = new RedisKit(redis.url());
    private final RedisDocumentStore store = kit.store(InstantSource.system());
    private final DocumentKey key = new DocumentKey(Keyspace.of("b"), "k");

    @BeforeEach
    void createBucket() {
        await(store.catalog().createBucket("b", 2));
    }

    @AfterEach
    void close() {
        store.close();
        kit.close();
        redis.close();
    }

    @Test
    void functions_flushedUnderWrites_areLoadedAgainAndOrderHolds() {
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                if (i == 100) {
                    kit.connection().async().functionFlush(FlushMode.SYNC);
                }
                answers.add(store.write(Write.upsert(key, bytes(round + "-" + i))));
            }

            answers.forEach(answer -> assertThat(await(answer)).isInstanceOf(WriteResult.Written.class));
            assertThat(text(await(store.get(key)).orElseThrow().body())).isEqualTo(round + "-299");
        }
    }

    @Test
    void functions_flushed_areLoadedAgainByEveryKindOfCall() {
        flushFunctions();
        await(store.catalog().createScope("b", "s"));
        flushFunctions();
        await(store.catalog().createCollection(new Keyspace("b", "s", "c")));
        await(store.write(Write.upsert(key, bytes("1"))
                .withExpiry(Expiry.at(InstantSource.system().instant()))));
        flushFunctions();
        assertThat(await(store.expireDue("b", 10))).isOne();
        flushFunctions();
        try (ChangeFeed feed = store.changes("b", VBuckets.shardOf(key.vbucket(), 2), 0)) {
            await(feed.next(10));
            CompletableFuture<List<Mutation>> waiting = feed.next(10);
            await(store.write(Write.upsert(key, bytes("2"))));
            assertThat(await(waiting)).hasSize(1);
        }
        flushFunctions();
        await(store.catalog().dropBucket("b"));
    }

    @Test
    void functions_ofAnotherVersion_areKept() {
        String other = "#!lua name=millrace_0\nredis.register_function('millrace_0_write', function() return 'S' end)";
        kit.console().functionLoad(other);

        await(store.write(Write.upsert(key, bytes("1"))));

        assertThat(kit.console().functionList()).hasSize(2);
    }

    @Test
    void memory_full_refusesWritesAndServesReads() {
        await(store.write(Write.upsert(key, bytes("1"))));
        kit.console().configSet("maxmemory", "1");

        assertFails(Code.REFUSED, () -> await(store.write(Write.upsert(key, bytes("2")))));

        assertThat(await(store.get(key))).isPresent();
        kit.console().configSet("maxmemory", "0");
        await(store.write(Write.upsert(key, bytes("2"))));
    }

    /** As with a full disk, of which a test cannot have one. */
    @Test
    void feed_whileRedisTakesNoWrites_readsAndWaits() {
        await(store.write(Write.upsert(key, bytes("1"))));
        kit.console().configSet("min-replicas-to-write", "1");
        try (ChangeFeed feed = store.changes("b", VBuckets.shardOf(key.vbucket(), 2), 0)) {
            assertThat(await(feed.next(10))).hasSize(1);
            CompletableFuture<List<Mutation>> waiting = feed.next(10);
            assertFails(Code.REFUSED, () -> await(store.write(Write.upsert(key, bytes("2")))));
            assertThat(waiting).isNotDone();

            kit.console().configSet("min-replicas-to-write", "0");
            await(store.write(Write.upsert(key, bytes("2"))));

            assertThat(await(waiting)).hasSize(1);
        }
    }

    @Test
    void replica_refusesWrites_asUnavailable() {
        await(store.write(Write.upsert(key, bytes("1"))));
        kit.console().replicaof("127.0.0.1", 1);

        assertThatThrownBy(() -> await(store.write(Write.upsert(key, bytes("2")))))
                .isInstanceOfSatisfying(
                        DocumentsException.class,
                        e -> assertThat(e.unavailable()).isTrue());

        kit.console().replicaofNoOne();
        await(store.write(Write.upsert(key, bytes("2"))));
    }

    @Test
    void shard_ofNewerIncarnation_fencesThisProcess() {
        await(store.write(Write.upsert(key, bytes("1"))));
        for (int shard = 0; shard < 2; shard++) {
            kit.console().hset("mr:{b." + shard + "}:m", "gate", "1");
        }

        assertFails(Code.STALE_INCARNATION, () -> await(store.write(Write.upsert(key, bytes("2")))));

        assertThat(text(await(store.get(key)).orElseThrow().body())).isEqualTo("1");
    }

    @Test
    void shard_thatWasNeverOpened_isOpenedByTheFirstWrite() {
        kit.console().del("mr:{b.0}:m", "mr:{b.1}:m");

        await(store.write(Write.insert(key, bytes("1"))));

        assertThat(await(store.count(key.keyspace()))).isOne();
    }

    @Test
    void history_lost_failsTheFeed() {
        await(store.write(Write.upsert(key, bytes("1"))));
        int shard = VBuckets.shardOf(key.vbucket(), 2);
        long position = await(store.highSeqno("b", shard)) + 5;

        assertFails(
                Code.HISTORY_LOST,
                () -> await(store.changes("b", shard, position).next(1)));
    }

    @Test
    void keyOfAnotherType_isCorrupt() {
        kit.console().set("mr:{b." + VBuckets.shardOf(key.vbucket(), 2) + "}:d:0:k", "text");

        assertFails(Code.CORRUPT, () -> await(store.get(key)));
    }

    @Test
    void header_ofAnotherFormat_isCorrupt() {
        for (String header : List.of(
                "",
                "x",
                "L1\n",
                "L1,J0\n",
                "L1,Q0,,1,1,\n",
                "L1,J0,x,1,1,\n",
                "L1,J0,,x,1,\n",
                "L1,J0,,1,1\n",
                "Z1,J0,,1,1,\n")) {
            kit.console().hset("mr:{b." + VBuckets.shardOf(key.vbucket(), 2) + "}:d:0:k", "h", header);

            assertFails(Code.CORRUPT, () -> await(store.get(key)));
        }
    }

    private void flushFunctions() {
        kit.console().functionFlush(FlushMode.SYNC);
    }

    private static void assertFails(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
