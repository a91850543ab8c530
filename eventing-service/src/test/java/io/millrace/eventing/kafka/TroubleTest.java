package io.millrace.eventing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TroubleTest {

    private final Trouble trouble = new Trouble(Duration.ofNanos(10));

    @Test
    void failureThatComesBackAtOnce_isNotNews() {
        assertThat(trouble.note("not allowed")).isTrue();
        for (long attempt = 100; attempt < 200; attempt += 20) {
            trouble.resumed(attempt);

            assertThat(trouble.endsIfRead(attempt + 9)).isFalse();
            assertThat(trouble.note("not allowed")).isFalse();
        }
        assertThat(trouble.note("away")).isTrue();
    }

    @Test
    void failureAfterATimeWithoutOne_isNews() {
        trouble.note("away");
        trouble.resumed(100);

        assertThat(trouble.endsIfRead(110)).isTrue();
        assertThat(trouble.note("away")).isTrue();
    }
}
