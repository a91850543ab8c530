package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.worker.WorkerLimits;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepairPausesTest {

    private static final int CALLERS = 200;

    @Test
    void next_doublesFromTheFirstPauseAndStaysBelowTheLongest_withinHalfOfIt() {
        for (int caller = 0; caller < CALLERS; caller++) {
            var pauses = new RepairPauses();
            Duration base = WorkerLimits.FIRST_REPAIR_PAUSE;
            Duration longestBase = WorkerLimits.FIRST_REPAIR_PAUSE.multipliedBy(32);
            for (int attempt = 1; attempt <= 100; attempt++) {
                Duration pause = pauses.next();

                assertThat(pause)
                        .as("pause %d", attempt)
                        .isBetween(
                                base.dividedBy(2).minusMillis(1),
                                base.multipliedBy(3).dividedBy(2))
                        .isLessThanOrEqualTo(WorkerLimits.LONGEST_REPAIR_PAUSE);
                base = min(base.multipliedBy(2), longestBase);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 8, 40})
    void next_differsBetweenCallers(int attempt) {
        Set<Duration> seen = new HashSet<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            var pauses = new RepairPauses();
            Duration pause = Duration.ZERO;
            for (int i = 0; i < attempt; i++) {
                pause = pauses.next();
            }
            seen.add(pause);
        }

        assertThat(seen).hasSizeGreaterThan(5);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
