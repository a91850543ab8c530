package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class GoalsTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Goals goals = new Goals(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    void goals_areMetUntilOneIsMissed() {
        assertThat(goals.atMost("let in", 0, 0).atLeast("a second", 1000, 999.5).met())
                .isTrue();

        assertThat(goals.atMost("slowdown", 1.11, 1.1).atMost("let in", 0, 0).met())
                .isFalse();

        assertThat(printed.toString(StandardCharsets.UTF_8)
                        .replaceAll(" +", " ")
                        .lines())
                .containsExactly(
                        "goal: let in 0, at most 0: met",
                        "goal: a second 1,000, at least 1,000: met",
                        "goal: slowdown 1.11, at most 1.10: missed",
                        "goal: let in 0, at most 0: met");
    }
}
