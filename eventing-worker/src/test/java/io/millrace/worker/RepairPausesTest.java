package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepairPausesTest {

    private static final int CALLERS = 200;

    @Test
    void next_doublesFromTheFirstPauseUpToTheLongest_withinHalfOfIt() {
        for (int caller = 0; caller < CALLERS; caller++) {
            var pauses = new RepairPauses();
            Duration base = WorkerLimits.FIRST_REPAIR_PAUSE;
            for (int attempt = 1; attempt <= 100; attempt++) {
                Duration pause = pauses.next();

                Duration shortest = min(base.dividedBy(2), WorkerLimits.LONGEST_REPAIR_PAUSE)
                        .minusMillis(1);
                Duration longest = min(base.multipliedBy(3).dividedBy(2), WorkerLimits.LONGEST_REPAIR_PAUSE);
                assertThat(pause).as("pause %d", attempt).isBetween(shortest, longest);
                base = min(base.multipliedBy(2), Duration.ofHours(1));
            }
        }
    }

    @Test
    void next_differsBetweenCallers() {
        Set<Duration> firsts = new HashSet<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            firsts.add(new RepairPauses().next());
        }

        assertThat(firsts).hasSizeGreaterThan(5);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
