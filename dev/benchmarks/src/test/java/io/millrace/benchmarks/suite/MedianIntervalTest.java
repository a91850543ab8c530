package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MedianIntervalTest {

    @Test
    void ends_areTheRanksOfTheTables() {
        double[] hundred = IntStream.rangeClosed(1, 100).asDoubleStream().toArray();

        assertThat(MedianInterval.of(hundred)).isEqualTo(new MedianInterval(40, 61));
    }

    @Test
    void fewValues_haveTheirOwnRange() {
        assertThat(MedianInterval.of(3, 1, 2)).isEqualTo(new MedianInterval(1, 3));
    }

    @Test
    void median_isInTheIntervalOfNineteenSamplesInTwenty() {
        Random random = new Random(1);
        int samples = 2_000;

        long holds = IntStream.range(0, samples)
                .mapToObj(sample -> MedianInterval.of(
                        random.doubles(80).map(value -> value * value).toArray()))
                .filter(interval -> interval.low() <= 0.25 && 0.25 <= interval.high())
                .count();

        assertThat(holds).isBetween(samples * 94L / 100, samples * 98L / 100);
    }
}
