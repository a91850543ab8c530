package io.millrace.timers.firing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.timers.ManualClock;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.timers.TimersException;
import io.millrace.timers.firing.TimerSink.Ending;
import io.millrace.timers.memory.MemoryTimerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualClock clock = new ManualClock();
    private final TimerStore store = new MemoryTimerStore();
    private final TimerGroup group = new TimerGroup("meta", 1, "f", "i1", 4);
    private final List<Timer> fired = new ArrayList<>();
    private long epoch;
    private int ended;

    @Test
    void schedule_overHours_runsOncePerSlotInVirtualTime() {
        TimerScanner scanner = deployed("report */15 * * * *");

        for (int minute = 0; minute < 180; minute++) {
            clock.move(MINUTE);
            run(scanner);
        }

        assertThat(fired).hasSize(12).extracting(Timer::opaque).startsWith("2026-01-01T12:15:00Z");
        assertThat(fired).extracting(Timer::opaque).doesNotHaveDuplicates().isSorted();
        assertThat(fired).allSatisfy(timer -> assertThat(timer.id().callback()).isEqualTo("report"));
        assertThat(store.counts(group).join()).isEqualTo(new TimerCounts(1, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({"skip, 0, 2026-01-01T16:00:00Z", "once, 1, 2026-01-01T16:00:00Z", "all, 3, 2026-01-01T16:00:00Z"})
    void runsMissedDuringAPause_areTreatedAsDeclared(String missed, int madeUp, String next) {
        deployed("report 0 * * * * missed=" + missed);
        clock.move(Duration.ofHours(3).plus(MINUTE.multipliedBy(5)));

        TimerScanner resumed = deployed("report 0 * * * * missed=" + missed);
        for (int i = 0; i < 10; i++) {
            run(resumed);
        }

        assertThat(fired).hasSize(madeUp);
        assertThat(pending().timer().opaque()).isEqualTo(next);
    }

    @Test
    void redeployedFunction_keepsTheExistingTimer() {
        deployed("report 0 * * * *");
        ListedTimer before = pending();
        clock.move(MINUTE);

        deployed("report 0 * * * *");

        assertThat(pending()).isEqualTo(before);
    }

    @Test
    void schedule_thatIsNoLongerDeclared_isDroppedWithoutARun() {
        deployed("report 0 * * * *");
        TimerScanner changed = deployed("report 30 * * * *");
        clock.move(MINUTE.multipliedBy(61));

        run(changed);
        run(changed);

        assertThat(fired).extracting(Timer::opaque).containsExactly("2026-01-01T12:30:00Z");
        assertThat(pending().timer().opaque()).isEqualTo("2026-01-01T13:30:00Z");
    }

    @Test
    void callbackThatFails_isRunAgainAtTheNextSlot() {
        TimerScanner scanner = deployed("report * * * * *");
        clock.move(MINUTE);
        scanner.tick().join();

        scanner.ended(fired.getFirst(), new Ending.Failed("no"));
        scanner.tick().join();

        assertThat(pending().timer().opaque()).isEqualTo("2026-01-01T12:02:00Z");
        assertThat(store.counts(group).join().dead()).isZero();
    }

    @Test
    void jitter_delaysTheStartNotTheRun() {
        deployed("report 0 * * * * jitter=600");

        Timer timer = pending().timer();

        assertThat(timer.opaque()).isEqualTo("2026-01-01T13:00:00Z");
        long run = Instant.parse("2026-01-01T13:00:00Z").toEpochMilli();
        assertThat(timer.due()).isBetween(run, run + 600_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "report",
                "report * * * *",
                "report 61 * * * *",
                "report * * * * * zone=Atlantis/Deep",
                "report * * * * * jitter=soon",
                "report * * * * * jitter=-1",
                "report * * * * * jitter=2678401",
                "report * * * * * jitter=9223372036854775807",
                "report * * * * * missed=never",
                "report * * * * * often",
            })
    void aLineThatIsWrong_isRefused(String line) {
        assertThatThrownBy(() -> Schedules.parse(List.of(line)))
                .isInstanceOfSatisfying(
                        TimersException.class,
                        e -> assertThat(e.code()).isEqualTo(TimersException.Code.INVALID_SCHEDULE));
        assertThatThrownBy(() -> Schedules.parse(List.of("a * * * * *", "a  * * * * *")))
                .hasMessageContaining("twice");
    }

    private TimerScanner deployed(String... lines) {
        store.open(group).join();
        TimerScanner scanner = new TimerScanner(
                store, group, clock, new ListSink(fired), RetryPolicy.NONE, Schedules.parse(List.of(lines)), lag -> {});
        scanner.take(++epoch, 0, 3).join();
        scanner.arm().join();
        return scanner;
    }

    private void run(TimerScanner scanner) {
        scanner.tick().join();
        for (; ended < fired.size(); ended++) {
            scanner.ended(fired.get(ended), Ending.DONE);
        }
        scanner.tick().join();
    }

    private ListedTimer pending() {
        List<ListedTimer> timers = store.list(group, TimerQuery.first(10)).join();
        assertThat(timers).hasSize(1);
        return timers.getFirst();
    }
}
