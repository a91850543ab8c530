package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {

    @Test
    void oddCount_isTheValueInTheMiddle() {
        assertThat(Median.of(9, 1, 5)).isEqualTo(5);
    }

    @Test
    void evenCount_isTheMeanOfTheTwoInTheMiddle() {
        assertThat(Median.of(List.of(4.0, 1.0, 100.0, 2.0))).isEqualTo(3);
    }
}
