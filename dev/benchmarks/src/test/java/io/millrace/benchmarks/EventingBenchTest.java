package io.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.benchmarks.suite.Recording;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventingBenchTest {

    @Test
    void unknownArgument_isRefusedBeforeAnythingStarts() {
        assertThatThrownBy(() -> EventingBench.of(List.of("shrt"), System.out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'shrt'");
        assertThatThrownBy(() -> EventingBench.of(List.of("--jfr"), System.out))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void recordings_haveTheNamesOfTheirProcesses() {
        assertThat(Recording.fileOf(Path.of("out", "drain.jfr"), "worker"))
                .isEqualTo(Path.of("out", "drain-worker.jfr"));
        assertThat(Recording.fileOf(Path.of("drain"), "worker")).isEqualTo(Path.of("drain-worker"));
    }
}
