package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.WriteResult.Written;
import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.RedisFixture;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that break while writes are on their way. */
class LostAnswerIT {

    private final String bucket = StoreKit.uniqueBucket();
    private final DocumentKey key = new DocumentKey(Keyspace.of(bucket), "k");
    private final FlakyProxy proxy = FlakyProxy.to(RedisFixture.host(), RedisFixture.port());
    private final RedisKit kit = new RedisKit(proxy.redisUrl());
    private final DocumentStore store = kit.store(InstantSource.system());

    @BeforeEach
    void createBucket() {
        await(store.catalog().createBucket(bucket, 1));
    }

    @AfterEach
    void close() {
        kit.close();
        proxy.close();
    }

    @Test
    void write_cutBeforeExecution_happensOnce() {
        proxy.cutBeforeForwarding("marked body");

        WriteResult result = await(store.write(Write.upsert(key, bytes("marked body"))));

        assertThat(proxy.cuts()).isOne();
        assertThat(((Written) result).repeated()).isFalse();
        assertHappened(1);
    }

    @Test
    void write_cutAfterExecution_happensOnce() {
        proxy.cutAfterForwarding("marked body");

        WriteResult result = await(store.write(Write.upsert(key, bytes("marked body"))));

        assertThat(proxy.cuts()).isOne();
        assertThat(((Written) result).repeated()).isTrue();
        assertHappened(1);
    }

    @Test
    void insert_repeatedByItsCaller_isStillTheCallersOwn() {
        Write insert = Write.insert(key, bytes("marked body"));
        proxy.cutAfterForwarding("marked body");
        await(store.write(insert));

        assertThat(await(store.write(insert))).isInstanceOf(Written.class);
        assertThat(await(store.write(Write.insert(key, bytes("other"))))).isInstanceOf(WriteResult.AlreadyExists.class);
        assertHappened(1);
    }

    @Test
    void manyWritesOfOneDocument_cutInTheMiddle_happenOnceAndInOrder() {
        for (int round = 0; round < 10; round++) {
            long before = await(store.highSeqno(bucket, 0));
            proxy.cutAfterForwarding("value-" + round + "-57");
            List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                answers.add(store.write(Write.upsert(key, bytes("value-" + round + "-" + i))));
            }

            List<Long> versions = answers.stream()
                    .map(answer -> ((Written) await(answer)).cas())
                    .toList();

            assertThat(versions).isSorted().doesNotHaveDuplicates();
            assertThat(await(store.highSeqno(bucket, 0))).isEqualTo(before + 200);
            assertThat(text(await(store.get(key)).orElseThrow().body())).isEqualTo("value-" + round + "-199");
        }
        assertThat(proxy.cuts()).isEqualTo(10);
    }

    @Test
    void writesOfManyDocuments_cutAgainAndAgain_happenOnce() {
        List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            if (i % 200 == 100) {
                proxy.cutAfterForwarding("body-" + i);
            }
            answers.add(store.write(Write.upsert(new DocumentKey(key.keyspace(), "d" + i % 300), bytes("body-" + i))));
            if (i % 200 == 199) {
                answers.forEach(StoreKit::await);
            }
        }

        assertThat(proxy.cuts()).isEqualTo(10);
        assertHappened(2000);
    }

    @Test
    void redis_outOfReach_isUnavailableAndComesBack() {
        proxy.down();
        CompletableFuture<WriteResult> write;
        try (RedisKit impatient = new RedisKit(proxy.redisUrl() + "?timeout=300ms")) {
            DocumentStore other = impatient.store(InstantSource.system());
            assertThatThrownBy(() -> await(other.get(key)))
                    .isInstanceOfSatisfying(
                            DocumentsException.class,
                            e -> assertThat(e.unavailable()).isTrue());
            write = store.write(Write.upsert(key, bytes("1")));
            proxy.up();
            await(other.write(Write.upsert(key, bytes("2"))));
        }
        assertThat(await(write)).isInstanceOf(Written.class);
        assertHappened(2);
    }

    private void assertHappened(long times) {
        assertThat(await(RedisKit.shared().store(InstantSource.system()).highSeqno(bucket, 0)))
                .isEqualTo(times);
    }
}
