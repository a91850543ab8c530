package io.millrace.benchmarks.lives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.benchmarks.lives.Results.Handled;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {

    private final Results results = new Results();

    @Test
    void documentThatGoesBack_isReported() {
        assertThat(results.take("a", new Handled(2, 1))).isEmpty();
        assertThat(results.take("a", new Handled(2, 1))).as("handled again").isEmpty();
        assertThat(results.take("b", new Handled(1, 1))).as("another document").isEmpty();

        assertThat(results.take("a", new Handled(1, 1))).contains("document a went back from state 2 to 1");
    }

    @Test
    void documents_areMissingUntilTheirLastStateIsHandled() {
        results.take("a", new Handled(2, 1));
        results.take("b", new Handled(3, 2));

        assertThat(results.missing(Map.of("a", 2L, "b", 4L, "c", 1L))).isEqualTo(2);
        assertThat(results.missing(Map.of("a", 2L, "b", 3L))).isZero();
        assertThat(results.versionOf("b")).isEqualTo(2);
        assertThat(results.versionOf("c")).isZero();
    }

    @Test
    void arguments_thatAreNoNumbers_areRefusedWithAnExample() {
        assertThatThrownBy(() -> LivesBench.of(List.of("seed"), System.out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'1 1000'");
        assertThatThrownBy(() -> LivesBench.of(List.of("1", "0"), System.out))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
