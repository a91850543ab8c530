package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;

class ProcessUsageTest {

    private static final long SELF = ProcessHandle.current().pid();

    /** That of counters of the system; its clocks, which only Linux has, have far smaller ones. */
    private static final Duration STEP = Duration.ofMillis(10);

    @Test
    void cpu_ofThisProcess_growsInSmallSteps_andIsWhatTheSystemTells() {
        Duration before = ProcessUsage.cpu(SELF);
        Duration now = before;
        while (now.equals(before)) {
            now = ProcessUsage.cpu(SELF);
        }
        Duration told = ProcessHandle.current().info().totalCpuDuration().orElseThrow();

        assertThat(now.minus(before))
                .isPositive()
                .isLessThan(OS.LINUX.isCurrentOs() ? STEP.dividedBy(2) : STEP.multipliedBy(2));
        assertThat(told).isCloseTo(now, STEP.multipliedBy(5));
    }

    @Test
    void cpu_ofAnEndedProcess_isZero() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        assertThat(ProcessUsage.cpu(ended.pid())).isZero();
    }
}
