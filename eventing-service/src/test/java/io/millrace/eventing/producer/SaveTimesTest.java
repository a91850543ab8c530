package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SaveTimesTest {

    @Test
    void functionThatHasNotMoved_hasNothingToSave() {
        SaveTimes times = new SaveTimes(Duration.ZERO);
        times.begin();

        assertThat(times.due(false)).isFalse();
        assertThat(times.takeSave(false)).isFalse();
        assertThat(times.due(true)).isTrue();
        assertThat(times.takeSave(true)).isTrue();
    }

    @Test
    void save_isDueOnceInAnInterval() {
        SaveTimes times = new SaveTimes(Duration.ofHours(1));
        times.begin();

        assertThat(times.due(true)).isFalse();
        assertThat(times.takeSave(true)).isFalse();
    }

    @Test
    void whatWasHandled_isNotedOnce() {
        SaveTimes times = new SaveTimes(Duration.ofHours(1));
        times.begin();
        assertThat(times.takeNote()).isFalse();
        assertThat(times.atRest()).isTrue();

        times.handled();

        assertThat(times.atRest()).isFalse();
        assertThat(times.due(false)).isTrue();
        assertThat(times.takeNote()).isTrue();
        assertThat(times.takeNote()).isFalse();
        assertThat(times.atRest()).isTrue();
    }
}
