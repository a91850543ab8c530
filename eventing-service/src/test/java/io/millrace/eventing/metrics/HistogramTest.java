package io.millrace.eventing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 8, 9, 15, 16, 17, 100, 1023, 1024, 60_000_000, Long.MAX_VALUE})
    void bin_ofAnyDuration_holdsItAndIsAtMostAnEighthWide(long micros) {
        Histogram histogram = new Histogram();

        histogram.record(micros, 3);

        Map.Entry<Long, Long> bin = histogram.snapshot().entrySet().iterator().next();
        assertThat(bin.getValue()).isEqualTo(3);
        assertThat(bin.getKey()).isGreaterThanOrEqualTo(micros);
        assertThat(bin.getKey() - micros).isLessThanOrEqualTo(micros / 8);
    }

    @Test
    void snapshot_isAscending() {
        Histogram histogram = new Histogram();
        histogram.record(5000, 1);
        histogram.record(3, 1);
        histogram.record(70, 1);
        histogram.record(-1, 1);

        assertThat(histogram.snapshot().keySet()).containsExactly(0L, 3L, 71L, 5119L);
    }

    @Test
    void reset_leavesNothing() {
        Histogram histogram = new Histogram();
        histogram.record(5000, 1);

        histogram.reset();

        assertThat(histogram.snapshot()).isEmpty();
    }
}
