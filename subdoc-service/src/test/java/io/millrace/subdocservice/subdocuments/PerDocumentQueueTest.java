package io.millrace.subdocservice.subdocuments;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PerDocumentQueueTest {

    private final DocumentKey key = new DocumentKey(Keyspace.of("b"), "k");
    private final PerDocumentQueue turns = new PerDocumentQueue(3);
    private final List<String> log = new ArrayList<>();

    @Test
    void work_ofOneDocument_waitsForWhatCameBefore() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();

        CompletableFuture<String> a = take(key, "a", first);
        CompletableFuture<String> b = take(key, "b", second);
        assertThat(log).containsExactly("a");

        first.complete("1");
        assertThat(a).isCompletedWithValue("1");
        assertThat(b).isNotDone();
        assertThat(log).containsExactly("a", "b");

        second.complete("2");
        assertThat(b).isCompletedWithValue("2");
        assertThat(turns.size()).isZero();
    }

    @Test
    void work_ofAnotherDocument_doesNotWait() {
        take(key, "a", new CompletableFuture<>());
        take(new DocumentKey(Keyspace.of("b"), "other"), "b", CompletableFuture.completedFuture(""));

        assertThat(log).containsExactly("a", "b");
        assertThat(turns.size()).isEqualTo(1);
    }

    @Test
    void work_thatFails_doesNotHoldUpOthers() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> a = take(key, "a", first);
        CompletableFuture<Object> b = turns.take(key, () -> {
                    throw new IllegalStateException("b");
                })
                .orElseThrow();
        CompletableFuture<String> c = take(key, "c", CompletableFuture.completedFuture("3"));

        first.completeExceptionally(new IllegalStateException("a"));

        assertThat(a).isCompletedExceptionally();
        assertThat(b).isCompletedExceptionally();
        assertThat(c).isCompletedWithValue("3");
        assertThat(turns.size()).isZero();
    }

    @Test
    void work_beyondTheLimit_isRejected() {
        CompletableFuture<String> first = new CompletableFuture<>();
        for (String name : List.of("running", "1", "2", "3")) {
            take(key, name, first);
        }

        assertThat(turns.take(key, () -> CompletableFuture.completedFuture(""))).isEqualTo(Optional.empty());

        first.complete("");
        assertThat(log).containsExactly("running", "1", "2", "3");
    }

    @Test
    void work_ofManyThreads_overlapsNever() throws InterruptedException {
        PerDocumentQueue many = new PerDocumentQueue(100_000);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        int threads = 4;
        int each = 2000;
        CountDownLatch done = new CountDownLatch(threads * each);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads);
                ExecutorService io = Executors.newSingleThreadExecutor()) {
            for (int t = 0; t < threads; t++) {
                pool.execute(() -> {
                    for (int i = 0; i < each; i++) {
                        boolean later = i % 2 == 0;
                        many.take(key, () -> {
                                    overlaps.addAndGet(inside.getAndIncrement());
                                    return later
                                            ? CompletableFuture.supplyAsync(inside::decrementAndGet, io)
                                            : CompletableFuture.completedFuture(inside.decrementAndGet());
                                })
                                .orElseThrow()
                                .whenComplete((value, failure) -> done.countDown());
                    }
                });
            }
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(overlaps).hasValue(0);
        assertThat(many.size()).isZero();
    }

    private CompletableFuture<String> take(DocumentKey document, String name, CompletableFuture<String> work) {
        return turns.take(document, () -> {
                    log.add(name);
                    return work;
                })
                .orElseThrow();
    }
}
