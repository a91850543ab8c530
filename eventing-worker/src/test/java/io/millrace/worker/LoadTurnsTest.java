package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoadTurnsTest {

    private final LoadTurns turns = new LoadTurns(Duration.ZERO);
    private final List<CompletableFuture<@Nullable Void>> begun = new ArrayList<>();

    private CompletableFuture<@Nullable Void> load() {
        CompletableFuture<@Nullable Void> load = new CompletableFuture<>();
        begun.add(load);
        return load;
    }

    @Test
    void loads_comeOneAfterAnother() {
        turns.add(List.of(this::load, this::load, this::load));

        assertThat(begun).hasSize(1);
        begun.getFirst().complete(null);
        assertThat(begun).hasSize(2);
        begun.getLast().completeExceptionally(new IllegalStateException("failed"));
        assertThat(begun).hasSize(3);
    }

    @Test
    void whatIsAddedFirst_comesBeforeThoseThatWait() {
        List<String> order = new ArrayList<>();
        turns.begin();
        turns.add(List.of(() -> done(order, "code")));
        turns.addFirst(() -> done(order, "first"));

        turns.end();

        assertThat(order).containsExactly("first", "code");
    }

    private static CompletableFuture<@Nullable Void> done(List<String> order, String name) {
        order.add(name);
        return CompletableFuture.completedFuture(null);
    }

    @Test
    void withoutAStart_nothingWaits() {
        LoadTurns patient = new LoadTurns(Duration.ofDays(1));

        patient.add(List.of(this::load));

        assertThat(begun).hasSize(1);
    }

    @Test
    void loads_waitWhileAFunctionStarts() {
        turns.begin();
        turns.begin();
        turns.add(List.of(this::load));

        turns.end();
        assertThat(begun).isEmpty();
        turns.end();
        assertThat(begun).hasSize(1);
    }

    @Test
    void loads_waitUntilNoFunctionHasBeenStartingForAWhile() {
        Duration quiet = Duration.ofMillis(50);
        LoadTurns patient = new LoadTurns(quiet);
        CompletableFuture<Long> loaded = new CompletableFuture<>();
        patient.begin();
        patient.add(List.of(() -> {
            loaded.complete(System.nanoTime());
            return CompletableFuture.completedFuture(null);
        }));

        long before = System.nanoTime();
        patient.end();

        assertThat(loaded.orTimeout(60, TimeUnit.SECONDS).join() - before).isGreaterThanOrEqualTo(quiet.toNanos());
    }

    @Test
    void manyLoadsThatAreOverAtOnce_areAllMade() {
        int many = 5_000;
        List<LoadTurns.Load> loads = new ArrayList<>();
        for (int n = 0; n < many; n++) {
            loads.add(() -> {
                load().complete(null);
                return begun.getLast();
            });
        }

        turns.add(loads);

        assertThat(begun).hasSize(many);
    }
}
