package io.millrace.eventing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TroubleTest {

    private final Trouble trouble = new Trouble(Duration.ofNanos(10));

    @Test
    void failureThatComesBackAtOnce_isNotNews() {
        assertThat(trouble.isNew("not allowed")).isTrue();
        for (long attempt = 100; attempt < 200; attempt += 20) {
            trouble.begun(attempt);

            assertThat(trouble.isOver(attempt + 9)).isFalse();
            assertThat(trouble.isNew("not allowed")).isFalse();
        }
        assertThat(trouble.isNew("away")).isTrue();
    }

    @Test
    void failureAfterATimeWithoutOne_isNews() {
        trouble.isNew("away");
        trouble.begun(100);

        assertThat(trouble.isOver(110)).isTrue();
        assertThat(trouble.isNew("away")).isTrue();
    }
}
