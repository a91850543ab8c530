package io.millrace.benchmarks.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.suite.Memory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartBenchTest {

    @Test
    void least_takesEachFigureFromTheRunInWhichItWasLowest() {
        StartBench.Run quick = new StartBench.Run(Duration.ofSeconds(4), Duration.ofSeconds(9), new Memory(500, 450));
        StartBench.Run small = new StartBench.Run(Duration.ofSeconds(5), Duration.ofSeconds(8), new Memory(420, 400));

        assertThat(StartBench.least(List.of(quick, small)))
                .isEqualTo(new StartBench.Run(Duration.ofSeconds(4), Duration.ofSeconds(8), new Memory(420, 400)));
    }

    @Test
    void memory_readsTheKeyOfTheKernel() {
        List<String> rollup = List.of("Rss:   2048 kB", "Pss:   1024 kB", "Pss_Anon:   512 kB");

        assertThat(Memory.kibibytes(rollup, "Pss:")).isEqualTo(1024);
    }
}
