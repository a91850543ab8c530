package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchArgumentsTest {

    @Test
    void arguments_areReadInAnyOrder() {
        assertThat(BenchArguments.of(List.of())).isEqualTo(new BenchArguments(false, null));
        assertThat(BenchArguments.of(List.of("--jfr", "a.jfr", "short")))
                .isEqualTo(new BenchArguments(true, Path.of("a.jfr")));
    }

    @Test
    void unknownArgument_isRefusedBeforeAnythingStarts() {
        assertThatThrownBy(() -> BenchArguments.of(List.of("shrt")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'shrt'");
        assertThatThrownBy(() -> BenchArguments.of(List.of("--jfr"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void recordings_haveTheNamesOfTheirProcesses() {
        assertThat(Recording.fileOf(Path.of("out", "drain.jfr"), "worker"))
                .isEqualTo(Path.of("out", "drain-worker.jfr"));
        assertThat(Recording.fileOf(Path.of("drain"), "worker")).isEqualTo(Path.of("drain-worker"));
    }
}
