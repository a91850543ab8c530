package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.runtime.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class StartTurnsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofHours(1);

    private final StopSignal stop = new StopSignal();
    private final List<String> begun = new CopyOnWriteArrayList<>();

    /** Enters on a thread of its own; completes with the turn. */
    private CompletableFuture<StartTurns.Turn> enter(StartTurns turns, String name, StopSignal until) {
        CompletableFuture<StartTurns.Turn> entered = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                StartTurns.Turn turn = turns.enter(until);
                begun.add(name);
                entered.complete(turn);
            } catch (InterruptedException | CancellationException e) {
                entered.completeExceptionally(e);
            }
        });
        await().atMost(PATIENCE).until(() -> entered.isDone() || thread.getState() == Thread.State.WAITING);
        return entered;
    }

    @Test
    void starts_beyondThoseAtOnce_waitInTheirOrder() {
        StartTurns turns = new StartTurns(2, LONG, LONG, Duration.ZERO);
        StartTurns.Turn first = enter(turns, "first", stop).join();
        enter(turns, "second", stop).join();
        CompletableFuture<StartTurns.Turn> third = enter(turns, "third", stop);
        CompletableFuture<StartTurns.Turn> fourth = enter(turns, "fourth", stop);
        assertThat(begun).containsExactly("first", "second");

        first.close();
        first.close();

        third.join().close();
        fourth.join();
        assertThat(begun).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void startThatTakesLong_letsTheNextOneBegin() {
        StartTurns turns = new StartTurns(1, Duration.ofMillis(20), LONG, Duration.ZERO);
        enter(turns, "slow", stop).join();

        CompletableFuture<StartTurns.Turn> next = enter(turns, "next", stop);

        await().atMost(PATIENCE).until(next::isDone);
    }

    @Test
    void turns_areCrowdedUntilTheLastStartHasEnded_alsoWhenItsTimeIsOver() {
        StartTurns turns = new StartTurns(1, Duration.ofMillis(20), LONG, Duration.ZERO);
        assertThat(turns.crowded()).isFalse();
        StartTurns.Turn first = enter(turns, "first", stop).join();
        StartTurns.Turn second = enter(turns, "second", stop).join();
        enter(turns, "third", stop).join().close();

        assertThat(turns.crowded()).isTrue();
        first.close();
        assertThat(turns.crowded()).isTrue();
        second.close();
        assertThat(turns.crowded()).isFalse();
    }

    @Test
    void startThatNeverEnds_doesNotMakeTurnsCrowdedForEver() {
        StartTurns turns = new StartTurns(1, LONG, Duration.ofMillis(20), Duration.ZERO);
        enter(turns, "hangs", stop).join();

        await().atMost(PATIENCE).until(() -> !turns.crowded());

        CompletableFuture<StartTurns.Turn> next = enter(turns, "next", stop);
        assertThat(next).as("its place is still taken").isNotDone();
        assertThat(turns.crowded()).as("a function waits").isTrue();
    }

    @Test
    void turnsAreCrowded_forAWhileAfterTheLastStart() {
        Duration quiet = Duration.ofMillis(50);
        StartTurns turns = new StartTurns(1, LONG, LONG, quiet);
        assertThat(turns.crowded()).as("nothing has started yet").isFalse();
        StartTurns.Turn turn = enter(turns, "only", stop).join();

        long ended = System.nanoTime();
        turn.close();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> !turns.crowded());

        assertThat(Duration.ofNanos(System.nanoTime() - ended)).isGreaterThanOrEqualTo(quiet);
    }

    @Test
    void startsOneAfterAnother_doNotMakeTurnsCrowdedForEver() {
        Duration quiet = Duration.ofMillis(100);
        StartTurns turns = new StartTurns(1, LONG, LONG, quiet);
        long began = System.nanoTime();

        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
            enter(turns, "again", stop).join().close();
            return !turns.crowded();
        });

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(quiet);
    }

    @Test
    void functionThatIsStoppedWhileItWaits_leavesTheQueue() {
        StartTurns turns = new StartTurns(1, LONG, LONG, Duration.ZERO);
        StartTurns.Turn first = enter(turns, "first", stop).join();
        StopSignal ofSecond = new StopSignal();
        CompletableFuture<StartTurns.Turn> second = enter(turns, "second", ofSecond);
        CompletableFuture<StartTurns.Turn> third = enter(turns, "third", stop);

        ofSecond.stop();

        assertThatThrownBy(second::join).isInstanceOf(CancellationException.class);
        first.close();
        third.join();
        assertThat(begun).containsExactly("first", "third");
    }
}
