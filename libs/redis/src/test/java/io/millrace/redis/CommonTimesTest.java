package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CommonTimesTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void waitsThatBeginAtDifferentTimes_endTogether() {
        LongStream ends =
                LongStream.of(7, 1_000, SECOND / 2, SECOND - 1).map(now -> now + CommonTimes.within(10 * SECOND, now));

        assertThat(ends.distinct().toArray()).hasSize(1);
    }

    @Test
    void wait_isNeverLonger() {
        assertThat(CommonTimes.within(10 * SECOND, 3 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(CommonTimes.within(10 * SECOND, 3 * SECOND + 1)).isEqualTo(10 * SECOND - 1);
        assertThat(CommonTimes.within(10 * SECOND, 4 * SECOND - 1)).isEqualTo(9 * SECOND + 1);
        assertThat(CommonTimes.within(Duration.ofSeconds(25)))
                .isBetween(Duration.ofSeconds(24), Duration.ofSeconds(25));
    }

    @Test
    void clockBelowZero_hasTheSameTimes() {
        assertThat(CommonTimes.within(10 * SECOND, -SECOND / 4)).isEqualTo(9 * SECOND + SECOND / 4);
    }

    @Test
    void shortWait_staysWhatItIs() {
        assertThat(CommonTimes.within(Duration.ofMillis(1_999))).isEqualTo(Duration.ofMillis(1_999));
    }
}
