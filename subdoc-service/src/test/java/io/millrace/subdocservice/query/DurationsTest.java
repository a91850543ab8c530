package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationsTest {

    @Test
    void duration_isReadAsGoWritesIt() {
        assertThat(Durations.parse("75000ms")).isEqualTo(Duration.ofSeconds(75));
        assertThat(Durations.parse("1m30s")).isEqualTo(Duration.ofSeconds(90));
        assertThat(Durations.parse("0.5s")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.parse("10")).isEqualTo(Duration.ofSeconds(10));
        assertThat(Durations.parse("2h")).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void shortestDuration_isNotZero() {
        assertThat(Durations.ofSeconds(0.0001)).isEqualTo(Duration.ofNanos(100_000));
        assertThat(Durations.ofSeconds(1e-12)).isEqualTo(Duration.ofNanos(1));
        assertThat(Durations.parse("0.1ns")).isEqualTo(Duration.ofNanos(1));
        assertThat(Durations.ofSeconds(0)).isZero();
        assertThat(Durations.ofSeconds(-1)).isNegative();
        assertThat(Durations.ofSeconds(1e10)).isNull();
    }

    @Test
    void otherText_isNotADuration() {
        for (String text : new String[] {"", "s", "10x", "1s1", "s10", "1 s", "99999999999h"}) {
            assertThat(Durations.parse(text)).as(text).isNull();
        }
    }

    @Test
    void figures_haveTheirUnit() {
        assertThat(Durations.format(1_500_000_000L)).isEqualTo("1.500000s");
        assertThat(Durations.format(1_500_000L)).isEqualTo("1.500000ms");
        assertThat(Durations.format(1_500L)).isEqualTo("1.500\u00b5s");
        assertThat(Durations.format(61_234_567_890L)).isEqualTo("61.234568s");
        assertThat(Durations.format(999_999_999L)).isEqualTo("999.999999ms");
        assertThat(Durations.format(42L)).isEqualTo("0.042\u00b5s");
        assertThat(Durations.format(0L)).isEqualTo("0.000\u00b5s");
    }
}
