package io.millrace.timers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NewTimerTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void context_atTheLimit_isAccepted() {
        assertThat(of("r", "é".repeat(10)).context()).hasSize(10);
    }

    @Test
    void context_pastTheLimit_isRefusedWithItsError() {
        assertThatThrownBy(() -> of("r", "é".repeat(10) + "x"))
                .isInstanceOf(TimersException.class)
                .hasMessage("The context payload size is more than the configured size:20 bytes");
    }

    @Test
    void reference_whenNull_isGenerated() {
        NewTimer timer = NewTimer.of("cb", NOON, null, null, 20, () -> "made");

        assertThat(timer.id()).isEqualTo(new TimerId("cb", "made"));
        assertThat(References.RANDOM.next()).hasSize(32).isNotEqualTo(References.RANDOM.next());
    }

    @Test
    void reference_whenEmpty_isValid() {
        assertThat(of("", null).id()).isEqualTo(new TimerId("cb", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T12:00:00.000Z, 1767268800000",
        "2026-01-01T12:00:00.000000001Z, 1767268800001",
        "1969-12-31T23:59:59Z, 0",
        "+12026-01-01T12:00:00Z, 253402300799999",
    })
    void due_isNeverEarlyAndWithinItsRange(Instant date, long millis) {
        assertThat(NewTimer.of("cb", date, "r", null, 20, References.RANDOM).due())
                .isEqualTo(millis);
    }

    @Test
    void id_longerThanTheLimit_isRefused() {
        String longest = "é".repeat(TimerLimits.MAX_TIMER_ID_BYTES / 2 - 2) + "x";

        assertThat(of(longest, null).id().reference()).isEqualTo(longest);
        assertThatThrownBy(() -> of(longest + "x", null))
                .isInstanceOf(TimersException.class)
                .hasMessageContaining("1025 bytes, more than 1024");
    }

    @Test
    void partition_isTheEndOfTheCrcOfCallbackAndReference() {
        // computed with zlib
        assertThat(new TimerId("cb", "ref").partition(1024)).isEqualTo(CB_REF_CRC & 1023);
        assertThat(new TimerId("cb", "ref").partition(1)).isZero();
    }

    private static final int CB_REF_CRC = 0xA8E8070E;

    private static NewTimer of(String reference, @Nullable String context) {
        return NewTimer.of("cb", NOON, reference, context, 20, References.RANDOM);
    }
}
