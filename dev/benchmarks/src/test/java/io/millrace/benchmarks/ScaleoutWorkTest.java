package io.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ScaleoutWorkTest {

    @Test
    void value_isWhatAllItsStepsGive() {
        for (int number : new int[] {0, 1, 7, 123_456}) {
            for (int rounds : new int[] {0, 1, 2, 3, 64, 1_000, 12_345}) {
                assertThat(ScaleoutWork.value(number, rounds))
                        .as("%d, %d rounds", number, rounds)
                        .isEqualTo(step(number, rounds));
            }
        }
    }

    @Test
    void result_ofAnotherNumberOrLength_isWrong() {
        assertThat(ScaleoutWork.isRight(result(5, 100, step(5, 100)))).isTrue();
        assertThat(ScaleoutWork.isRight(result(5, 100, step(6, 100)))).isFalse();
        assertThat(ScaleoutWork.isRight(result(5, 100, step(5, 99)))).isFalse();
    }

    private static int step(int number, int rounds) {
        int value = number;
        for (int i = 0; i < rounds; i++) {
            value = value * 1_664_525 + 1_013_904_223;
        }
        return value;
    }

    private static JsonNode result(int number, int rounds, int value) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("number", number)
                .put("rounds", rounds)
                .put("value", value);
    }
}
