package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.metrics.Histogram;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

    private final DeliverySettings settings = DeliverySettings.DEFAULT;
    private final Outbox outbox = new Outbox(1, settings, new Histogram());
    private final Deadlines deadlines = new Deadlines(settings, FakeWorkers.setup("", 1));

    @BeforeEach
    void begin() {
        deadlines.begin();
    }

    private void look() {
        assertThat(deadlines.missed(true, System.nanoTime(), outbox, null)).isNull();
    }

    @Test
    void workerWithoutEvents_isAtRestUntilItGetsSome() {
        assertThat(deadlines.atRest()).as("not looked at yet").isFalse();

        look();
        assertThat(deadlines.atRest()).isTrue();

        deadlines.busy();
        assertThat(deadlines.atRest()).isFalse();
    }

    @Test
    void workerWithEventsInFlight_isNotAtRest() {
        outbox.add(0, List.of(SampleEvents.event("a", 1)), System.nanoTime());
        outbox.take(0, System.nanoTime());

        look();

        assertThat(deadlines.atRest()).isFalse();
    }

    @Test
    void successorOfAWorkerAtRest_isLookedAtWhileItStarts() {
        look();

        deadlines.begin();

        assertThat(deadlines.atRest()).isFalse();
    }
}
