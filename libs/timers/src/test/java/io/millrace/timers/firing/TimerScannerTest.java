package io.millrace.timers.firing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.timers.DeadLetter;
import io.millrace.timers.ManualClock;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.firing.TimerSink.Ending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimerScannerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RetryPolicy THREE = new RetryPolicy(3, SECOND, Duration.ofSeconds(10));

    private final ManualClock clock = new ManualClock();
    private final FlakyTimerStore flaky = new FlakyTimerStore();
    private final TimerStore store = flaky.store;
    private final TimerGroup group = new TimerGroup("meta", 4, "f", "i1", 8);
    private final List<Long> lags = new ArrayList<>();
    private final Sink sink = new Sink();
    private final TimerScanner scanner = scanner(RetryPolicy.NONE);

    private static final class Sink implements TimerSink {
        final List<Timer> fired = new ArrayList<>();
        int room = 1000;

        @Override
        public int room() {
            return room;
        }

        @Override
        public void fire(List<Timer> timers) {
            fired.addAll(timers);
            room -= timers.size();
        }

        List<String> references() {
            List<String> references =
                    fired.stream().map(timer -> timer.id().reference()).toList();
            fired.clear();
            return references;
        }
    }

    private TimerScanner scanner(RetryPolicy retries) {
        return new TimerScanner(store, group, clock, sink, retries, Schedules.NONE, lags::add);
    }

    @BeforeEach
    void open() {
        store.open(group).join();
        assertThat(scanner.take(1, 0, 7).join()).hasSize(8);
    }

    @Test
    void timer_beforeItIsDue_isNotFired() {
        create("a", SECOND);

        assertThat(tick()).isEqualTo(SECOND);
        clock.move(Duration.ofMillis(970));
        assertThat(tick()).isEqualTo(Duration.ofMillis(30));
        clock.move(Duration.ofMillis(29));
        assertThat(tick()).as("what falls due soon is claimed together").isEqualTo(Duration.ofMillis(5));
        assertThat(sink.fired).isEmpty();

        clock.move(Duration.ofMillis(1));
        tick();
        assertThat(sink.references()).containsExactly("a");
        assertThat(lags).containsExactly(0L);
    }

    @Test
    void tick_withNothingToDo_waitsForTheWatch() {
        assertThat(tick()).isEqualTo(TimerLimits.WATCHED_POLL);
    }

    @Test
    void partition_behindManyOfAnotherOwner_isLookedAtInTime() {
        TimerGroup wide = new TimerGroup("meta", 1, "wide", "i1", 32);
        store.open(wide).join();
        List<Long> lagsOfLast = new ArrayList<>();
        TimerScanner ofLast =
                new TimerScanner(store, wide, clock, sink, RetryPolicy.NONE, Schedules.NONE, lagsOfLast::add);
        ofLast.take(1, 31, 31).join();
        for (int i = 0, found = 0; found < 32; i++) {
            TimerId id = new TimerId("cb", "r" + i);
            if (wide.partitionOf(id) == found) {
                store.create(wide, new NewTimer(id, clock.in(SECOND.plusMillis(found)), 0, "", null))
                        .join();
                found++;
            }
        }

        for (long left = 1100; left > 0; ) {
            Duration pause = ofLast.tick().join();
            clock.move(pause);
            left -= Math.max(1, pause.toMillis());
        }

        assertThat(lagsOfLast)
                .singleElement()
                .satisfies(lag -> assertThat(lag).isLessThanOrEqualTo(TimerLimits.SCAN_POLL.toMillis()));
    }

    @Test
    void tick_whileACallbackRuns_isRepeatedSoon() {
        create("a", Duration.ZERO);
        tick();

        assertThat(tick()).as("its end has to be reported").isEqualTo(TimerLimits.SCAN_POLL);

        scanner.ended(sink.fired.getFirst(), Ending.DONE);
        assertThat(tick()).isEqualTo(TimerLimits.WATCHED_POLL);
    }

    @Test
    void timer_inThePast_isFiredAtOnce() {
        create("a", Duration.ofDays(-9));

        tick();

        assertThat(sink.references()).containsExactly("a");
    }

    @Test
    void timers_acrossPartitions_areFiredInOrder() {
        for (int i = 0; i < 30; i++) {
            create("r" + i, Duration.ofMillis(30 - i));
        }
        clock.move(SECOND);

        tick();

        assertThat(sink.fired).extracting(Timer::due).hasSize(30).isSorted();
    }

    @Test
    void timer_untilItIsConfirmed_staysInTheStoreAndIsFiredOnce() {
        create("a", Duration.ZERO);
        tick();
        tick();
        Timer fired = sink.fired.getFirst();
        assertThat(sink.references()).containsExactly("a");
        assertThat(counts()).isEqualTo(new TimerCounts(0, 1, 0));

        scanner.ended(fired, Ending.DONE);
        tick();

        assertThat(counts()).isEqualTo(TimerCounts.NONE);
        assertThat(scanner.stats()).isEqualTo(new ScanStats(1, 0, 0, 0, 0));
    }

    @Test
    void timers_beyondTheCapacity_wait() {
        for (int i = 0; i < 20; i++) {
            create("r" + i, Duration.ZERO);
        }
        sink.room = 5;
        tickUntilIdle();
        assertThat(sink.references()).hasSize(5);

        sink.room = 100;
        tickUntilIdle();
        assertThat(sink.references()).hasSize(15);
    }

    @Test
    void callback_thatFails_isRetriedLaterAndLaterAndBuried() {
        TimerScanner retrying = scanner(THREE);
        retrying.take(2, 0, 7).join();
        create("a", Duration.ZERO);

        retrying.tick().join();
        retrying.ended(sink.fired.removeFirst(), new Ending.Failed("1"));
        retrying.tick().join();
        assertThat(sink.fired).as("within the first pause").isEmpty();
        clock.move(SECOND);
        retrying.tick().join();
        retrying.ended(sink.fired.removeFirst(), new Ending.Failed("2"));
        retrying.tick().join();
        clock.move(SECOND);
        retrying.tick().join();
        assertThat(sink.fired).as("within the second pause").isEmpty();
        clock.move(SECOND);
        retrying.tick().join();
        retrying.ended(sink.fired.removeFirst(), new Ending.Failed("3"));
        retrying.tick().join();

        assertThat(counts()).isEqualTo(new TimerCounts(0, 0, 1));
        DeadLetter letter = store.deadLetters(group, 1).join().getFirst();
        assertThat(letter.error()).isEqualTo("3");
        assertThat(letter.timer().failures()).isEqualTo(3);
        assertThat(retrying.stats()).isEqualTo(new ScanStats(3, 0, 2, 1, 0));
    }

    @Test
    void timer_thatIsStale_isSkippedAndRemoved() {
        NewTimer timer = new NewTimer(new TimerId("cb", "a"), clock.in(SECOND), 0, "", null);
        store.create(group, timer.staleAfter(Instant.ofEpochMilli(clock.in(SECOND.multipliedBy(2)))))
                .join();
        create("b", SECOND);

        clock.move(SECOND.multipliedBy(3));
        tick();
        tick();

        assertThat(sink.references()).containsExactly("b");
        assertThat(scanner.stats().stale()).isEqualTo(1);
        assertThat(counts()).isEqualTo(new TimerCounts(0, 1, 0));
    }

    @Test
    void claim_whoseAnswerWasLost_isRepeatedAndFiredOnce() {
        create("a", Duration.ZERO);
        flaky.lose("claim", true, true);

        assertThatThrownBy(this::tick).hasMessageContaining("lost");
        assertThatThrownBy(this::tick).hasMessageContaining("lost");
        tick();
        tick();

        assertThat(sink.references()).containsExactly("a");
    }

    @Test
    void claims_concurrentWithALostAnswer_areFired() {
        for (int i = 0; i < 40; i++) {
            create("r" + i, Duration.ZERO);
        }
        flaky.lose("claim", true);

        assertThatThrownBy(this::tick).hasMessageContaining("lost");

        assertThat(sink.fired).hasSizeBetween(20, 39);
        tick();
        assertThat(sink.references()).hasSize(40);
    }

    @Test
    void confirmation_whoseAnswerWasLost_isRepeated() {
        create("a", Duration.ZERO);
        tick();
        scanner.ended(sink.fired.getFirst(), Ending.DONE);
        flaky.lose("confirm", false, true);

        assertThatThrownBy(this::tick).hasMessageContaining("lost");
        assertThat(counts().firing()).isEqualTo(1);
        assertThatThrownBy(this::tick).hasMessageContaining("lost");
        tick();

        assertThat(counts()).isEqualTo(TimerCounts.NONE);
        assertThat(scanner.stats().firing()).isZero();
    }

    @Test
    void timersFiredByADeadOwner_areFiredByTheNext() {
        create("a", Duration.ZERO);
        tick();
        TimerScanner next = scanner(RetryPolicy.NONE);

        assertThat(next.take(2, 0, 7).join()).hasSize(8);
        next.tick().join();

        assertThat(sink.references()).containsExactly("a", "a");
        create("b", Duration.ZERO);
        tick();
        tick();
        assertThat(scanner.partitions()).as("the former owner has noticed").hasSizeLessThan(8);
        next.tick().join();
        assertThat(sink.references()).containsExactly("b");
    }

    /** Redis took another's place and does not know the last writes of before. */
    @Test
    void partitions_whoseOwnerTheStoreLost_areTakenAgain() {
        store.drop(group).join();
        store.open(group).join();
        create("a", Duration.ZERO);

        tick();
        tick();

        assertThat(sink.references()).containsExactly("a");
        assertThat(scanner.partitions()).hasSize(8);
    }

    @Test
    void partitions_ofAnotherOwner_areLeftAlone() {
        TimerScanner half = scanner(RetryPolicy.NONE);
        half.take(2, 0, 3).join();
        for (int i = 0; i < 40; i++) {
            create("r" + i, Duration.ZERO);
        }

        half.tick().join();

        assertThat(sink.fired)
                .isNotEmpty()
                .allSatisfy(timer -> assertThat(group.partitionOf(timer.id())).isLessThan(4));
    }

    @Test
    void giveUp_endsClaimsButSettlesWhatIsOut() {
        create("a", Duration.ZERO);
        tick();
        create("b", Duration.ZERO);

        scanner.giveUp();
        scanner.ended(sink.fired.getFirst(), Ending.DONE);
        tick();

        assertThat(sink.references()).containsExactly("a");
        assertThat(counts()).isEqualTo(new TimerCounts(1, 0, 0));
    }

    @Test
    void clock_setBack_firesLateAndLosesNothing() {
        create("a", SECOND);
        clock.move(Duration.ofHours(-1));
        tick();
        assertThat(sink.fired).isEmpty();

        clock.move(Duration.ofHours(1).plus(SECOND));
        tick();

        assertThat(sink.references()).containsExactly("a");
    }

    @Test
    void clock_setForward_firesTimersInBetween() {
        create("a", SECOND);
        create("b", Duration.ofDays(2));

        clock.move(Duration.ofDays(1));
        tick();

        assertThat(sink.references()).containsExactly("a");
        assertThat(counts()).isEqualTo(new TimerCounts(1, 1, 0));
    }

    /** Random timers, endings, failures of the store, clocks and owners; every timer is fired, none early. */
    @Test
    void everyTimer_inADisorderlyWorld_isFiredAtLeastOnceAndNeverEarly() {
        Random random = new Random(7);
        Map<String, Long> dues = new HashMap<>();
        Map<String, Integer> times = new HashMap<>();
        List<Timer> out = new ArrayList<>();
        TimerScanner current = scanner;
        int inFlightAtChanges = 0;
        for (int step = 0; step < 3000; step++) {
            for (int i = random.nextInt(3); i > 0; i--) {
                String reference = "r" + dues.size();
                Duration in = Duration.ofMillis(random.nextInt(20_000) - 1000);
                dues.put(reference, clock.in(in));
                create(reference, in);
            }
            clock.move(Duration.ofMillis(random.nextInt(60) - 20));
            if (random.nextInt(20) == 0) {
                flaky.lose(random.nextBoolean() ? "claim" : "confirm", random.nextBoolean());
            }
            if (random.nextInt(200) == 0) {
                inFlightAtChanges += current.stats().firing();
                current = scanner(RetryPolicy.NONE);
                current.take(10 + step, 0, 7).join();
                out.clear();
            }
            sink.room = 5;
            current.tick().handle((wait, failure) -> wait).join();
            for (Timer timer : sink.fired) {
                String reference = timer.id().reference();
                assertThat(clock.millis()).isGreaterThanOrEqualTo(dues.getOrDefault(reference, Long.MAX_VALUE));
                times.merge(reference, 1, Integer::sum);
                out.add(timer);
            }
            sink.fired.clear();
            while (!out.isEmpty() && random.nextBoolean()) {
                current.ended(out.remove(random.nextInt(out.size())), Ending.DONE);
            }
        }
        drain(current, times, out);

        assertThat(times.keySet()).isEqualTo(dues.keySet());
        assertThat(counts()).isEqualTo(TimerCounts.NONE);
        assertThat(times.values().stream().mapToInt(count -> count - 1).sum())
                .as("fired again, only what was in flight when the owner changed")
                .isLessThanOrEqualTo(inFlightAtChanges);
    }

    private void drain(TimerScanner current, Map<String, Integer> times, List<Timer> out) {
        clock.move(Duration.ofDays(1));
        flaky.lose("", new boolean[0]);
        for (int i = 0; i < 1000; i++) {
            sink.room = 1000;
            current.tick().handle((wait, failure) -> null).join();
            sink.fired.forEach(timer -> times.merge(timer.id().reference(), 1, Integer::sum));
            out.addAll(sink.fired);
            sink.fired.clear();
            out.forEach(timer -> current.ended(timer, Ending.DONE));
            out.clear();
        }
    }

    private Duration tick() {
        return scanner.tick().join();
    }

    private void tickUntilIdle() {
        Duration wait = tick();
        while (wait.isZero()) {
            wait = tick();
        }
    }

    private TimerCounts counts() {
        return store.counts(group).join();
    }

    private void create(String reference, Duration in) {
        NewTimer timer = new NewTimer(new TimerId("cb", reference), clock.in(in), NewTimer.NEVER_STALE, "", null);
        store.create(group, timer).join();
    }
}
