package io.millrace.timers.firing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimersException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class TimerLoopTest {

    private final FlakyTimerStore flaky = new FlakyTimerStore();
    private final TimerGroup group = new TimerGroup("meta", 4, "f", "i1", 8);
    private final List<Timer> fired = new CopyOnWriteArrayList<>();
    private final List<TimersException> reported = new CopyOnWriteArrayList<>();

    @Test
    void failuresInARow_areReportedOnce() {
        flaky.store.open(group).join();
        TimerScanner scanner = new TimerScanner(
                flaky.store,
                group,
                InstantSource.system(),
                new ListSink(fired),
                RetryPolicy.NONE,
                Schedules.NONE,
                lag -> {});
        scanner.take(1, 0, 7).join();
        flaky.lose("claim", false, false, false);
        create("a");
        try (TimerLoop loop = new TimerLoop("test", scanner, reported::add)) {
            loop.start();
            await().untilAsserted(() -> assertThat(fired).hasSize(1));
            assertThat(reported).as("one for three failures").hasSize(1);

            flaky.lose("claim", false, false);
            create("b");
            await().untilAsserted(() -> assertThat(fired).hasSize(2));
            assertThat(reported).as("one more for the next outage").hasSize(2);
        }
    }

    private void create(String reference) {
        NewTimer timer =
                new NewTimer(new TimerId("cb", reference), System.currentTimeMillis(), NewTimer.NEVER_STALE, "", null);
        flaky.store.create(group, timer).join();
    }
}
