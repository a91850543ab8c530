package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ByteBudgetTest {

    private static final int MIB = 1 << 20;
    private static final Duration LONG = Duration.ofMinutes(10);

    private final ByteBudget budget = new ByteBudget(8 * MIB, LONG, 100);

    @Test
    void lastQuarter_isLeftToSmallOnes() {
        assertThat(budget.take(6 * MIB, 6 * MIB)).isTrue();

        assertThat(budget.take(1, MIB)).isFalse();
        assertThat(budget.take(1000, 1000)).isTrue();
        assertThat(budget.held()).isEqualTo(6 * MIB + 1000);
        assertThat(budget.refused()).isEqualTo(1);
    }

    @Test
    void whatDoesNotFit_waitsInTheOrderOfArrival() {
        budget.hold(6 * MIB);
        CompletableFuture<Boolean> first = budget.reserve(4 * MIB, 4 * MIB);
        CompletableFuture<Boolean> second = budget.reserve(MIB, MIB);

        budget.give(MIB);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone(); // it would fit, but must not overtake the first for ever
        assertThat(budget.has(MIB)).isFalse();

        budget.give(4 * MIB);
        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(budget.held()).isEqualTo(6 * MIB);
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void smallOnes_doNotWaitBehindLargeOnes() {
        budget.hold(6 * MIB);
        CompletableFuture<Boolean> large = budget.reserve(4 * MIB, 4 * MIB);

        assertThat(budget.reserve(1000, 1000)).isCompletedWithValue(true);
        assertThat(large).isNotDone();
    }

    @Test
    void whoWaitsTooLong_isRefused_andTheNextOneMayFit() {
        ByteBudget impatient = new ByteBudget(8 * MIB, Duration.ofMillis(200), 100);
        impatient.hold(5 * MIB);
        CompletableFuture<Boolean> large = impatient.reserve(4 * MIB, 4 * MIB);
        CompletableFuture<Boolean> fits = impatient.reserve(MIB, MIB);

        assertThat(large.join()).isFalse();
        assertThat(fits.join()).isTrue();
        assertThat(impatient.held()).isEqualTo(6 * MIB);
        assertThat(impatient.waiting()).isZero();
    }

    @Test
    void queueOfWaitingOnes_isBounded() {
        ByteBudget narrow = new ByteBudget(8 * MIB, LONG, 2);
        narrow.hold(8 * MIB);
        narrow.reserve(MIB, MIB);
        narrow.reserve(MIB, MIB);

        assertThat(narrow.reserve(MIB, MIB)).isCompletedWithValue(false);
        assertThat(narrow.waiting()).isEqualTo(2);
    }

    @Test
    void whatIsInMemoryAlready_countsBeyondTheLimit() {
        budget.hold(10 * MIB);

        assertThat(budget.take(1, 1)).isFalse();
        budget.give(10 * MIB);
        assertThat(budget.take(1, 1)).isTrue();
    }

    @Test
    void endedRequest_returnsEverything_evenWhatItGetsLater() {
        HeldBytes held = new HeldBytes(budget);
        held.take(2 * MIB, 2 * MIB).block();
        held.hold(MIB);
        budget.hold(5 * MIB);
        CompletableFuture<Void> late = held.take(MIB, MIB).toFuture();
        assertThat(budget.held()).isEqualTo(8 * MIB);

        held.end();
        held.hold(MIB);
        held.replace(0, MIB);

        assertThat(late).isDone();
        assertThat(budget.held()).isEqualTo(5 * MIB);
    }

    @Test
    void manyThreads_neverExceedTheLimit_andReturnEverything() throws Exception {
        AtomicLong most = new AtomicLong();
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 4000; i++) {
                long bytes = (i % 40 + 1) * 100_000L;
                all.add(CompletableFuture.supplyAsync(() -> budget.reserve(bytes, bytes), threads)
                        .thenCompose(reserved -> reserved)
                        .thenApply(taken -> {
                            most.accumulateAndGet(budget.held(), Math::max);
                            if (taken) {
                                budget.give(bytes);
                            }
                            return taken;
                        }));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
        }

        assertThat(most.get()).isBetween(1L, 6L * MIB);
        assertThat(budget.held()).isZero();
        assertThat(budget.waiting()).isZero();
    }
}
