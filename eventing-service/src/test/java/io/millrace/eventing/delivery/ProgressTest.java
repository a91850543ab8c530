package io.millrace.eventing.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final Progress progress = new Progress(1);

    @BeforeEach
    void begin() {
        progress.begin(vbucket -> 5);
    }

    @Test
    void progressThatBegins_hasMoved() {
        assertThat(progress.moved()).isTrue();
    }

    @Test
    void progressThatRests_movesWithAPositionOrAnAcknowledgement() {
        progress.rest();
        progress.read(0, 5);
        assertThat(progress.moved()).as("the same position again").isFalse();

        progress.dispatched(7, 8, Instant.EPOCH);
        progress.read(0, 8);
        assertThat(progress.moved()).isTrue();
        assertThat(progress.reached(7)).isEqualTo(5);

        progress.rest();
        progress.acknowledged(7, 8);
        assertThat(progress.moved()).isTrue();
        assertThat(progress.reached(7)).isEqualTo(8);
    }
}
