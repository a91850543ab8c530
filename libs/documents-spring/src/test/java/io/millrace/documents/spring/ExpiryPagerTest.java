package io.millrace.documents.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ExpiryPagerTest {

    private volatile Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final DocumentStore store = new MemoryDocumentStore(() -> now);

    @Test
    void pager_turnsDueDocumentsOfAllBucketsIntoTombstones() {
        for (String bucket : List.of("a", "b")) {
            await(store.catalog().createBucket(bucket, 2));
            put(bucket);
        }
        now = now.plusSeconds(10);

        try (ExpiryPager pager = new ExpiryPager(store, Duration.ofMillis(1));
                ChangeFeed feed = store.changes("b", 0, await(store.highSeqno("b", 0)))) {
            CompletableFuture<List<Mutation>> expired = feed.next(1);
            pager.start();

            assertThat(await(expired).getFirst().document().state()).isEqualTo(Document.State.EXPIRED);
            assertThat(await(store.count(Keyspace.of("a")))).isZero();
        }
    }

    @Test
    void pager_asksForSeveralBucketsBeforeItWaits() throws InterruptedException {
        await(store.catalog().createBucket("first", 1));
        await(store.catalog().createBucket("second", 1));
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(2);
        DocumentStore slow = expiring(bucket -> {
            asked.countDown();
            return answer;
        });

        try (ExpiryPager pager = new ExpiryPager(slow, Duration.ofMillis(1))) {
            pager.start();
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            answer.complete(0);
        }
    }

    /** Returns the store with other answers to the question for what is due. */
    private DocumentStore expiring(Function<String, CompletableFuture<Integer>> due) {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "with" -> proxy;
                    case "expireDue" -> due.apply((String) arguments[0]);
                    default -> method.invoke(store, arguments);
                });
    }

    @Test
    void pager_looksLessOftenWhereNothingWasDue() throws InterruptedException {
        await(store.catalog().createBucket("quiet", 1));
        await(store.catalog().createBucket("busy", 1));
        AtomicInteger quiet = new AtomicInteger();
        AtomicInteger busy = new AtomicInteger();
        CountDownLatch rounds = new CountDownLatch(1_000);
        DocumentStore counting = expiring(bucket -> {
            if (bucket.equals("quiet")) {
                quiet.incrementAndGet();
                return CompletableFuture.completedFuture(0);
            }
            boolean due = busy.incrementAndGet() % 2 == 1; // then one that finds no more
            if (due) {
                rounds.countDown();
            }
            return CompletableFuture.completedFuture(due ? 1 : 0);
        });

        try (ExpiryPager pager = new ExpiryPager(counting, Duration.ofNanos(1))) {
            pager.start();
            assertThat(rounds.await(10, TimeUnit.SECONDS)).isTrue();
        }

        int all = busy.get() / 2;
        assertThat(quiet.get()).isBetween(all / 6, all / 4);
    }

    @Test
    void pager_asksAboutAsManyInARoundHoweverManyBucketsThereAre() throws InterruptedException {
        await(store.catalog().createBucket("busy", 1));
        for (int i = 0; i < 20 * ExpiryPager.QUIET_ASKED; i++) {
            await(store.catalog().createBucket("quiet" + i, 1));
        }
        AtomicInteger rounds = new AtomicInteger();
        Map<String, Integer> asked = new ConcurrentHashMap<>();
        CountDownLatch enough = new CountDownLatch(400);
        DocumentStore counting = expiring(bucket -> {
            if (bucket.equals("busy")) {
                boolean due = rounds.incrementAndGet() % 2 == 1; // then one that finds no more
                if (due) {
                    enough.countDown();
                }
                return CompletableFuture.completedFuture(due ? 1 : 0);
            }
            asked.merge(bucket, 1, Integer::sum);
            return CompletableFuture.completedFuture(0);
        });

        try (ExpiryPager pager = new ExpiryPager(counting, Duration.ofNanos(1))) {
            pager.start();
            assertThat(enough.await(10, TimeUnit.SECONDS)).isTrue();
        }

        int turns = 10 + (rounds.get() / 2 - 10) / 20; // ten rounds with all of them, then one of twenty
        assertThat(asked).hasSize(20 * ExpiryPager.QUIET_ASKED);
        assertThat(asked.values()).allSatisfy(times -> assertThat(times).isBetween(turns - 2, turns + 2));
    }

    private static <T> T await(CompletableFuture<T> future) {
        return future.orTimeout(10, TimeUnit.SECONDS).join();
    }

    private void put(String bucket) {
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), "foo");
        await(store.write(Write.upsert(key, "1".getBytes(UTF_8)).withExpiry(Expiry.at(now.plusSeconds(5)))));
    }
}
