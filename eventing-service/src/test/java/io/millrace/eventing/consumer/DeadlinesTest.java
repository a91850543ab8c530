package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.metrics.Histogram;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

    private @Nullable String missed(long heardNanos) {
        return deadlines.missed(true, heardNanos, outbox, null);
    }

    @Test
    void workerThatWasHeardOf_hasMissedNothing() {
        outbox.add(0, List.of(SampleEvents.event("a", 1)), System.nanoTime());
        outbox.take(0, System.nanoTime());

        assertThat(missed(System.nanoTime())).isNull();
    }

    @Test
    void workerThatIsSilentForTooLong_hasMissedASignOfLife() {
        assertThat(missed(System.nanoTime() - settings.silenceTimeout().toNanos() - 1))
                .isEqualTo("a sign of life");
    }

    @Test
    void eventThatIsInFlightForTooLong_isAMissedAnswer() {
        outbox.add(0, List.of(SampleEvents.event("a", 1)), System.nanoTime());
        outbox.take(0, System.nanoTime() - Duration.ofHours(1).toNanos());

        assertThat(missed(System.nanoTime())).isEqualTo("an answer");
    }

    @Test
    void onlyWorkerThatIsReadyAndHasAnsweredAll_hasNoDeadlines() {
        assertThat(Deadlines.none(true, outbox)).isTrue();
        assertThat(Deadlines.none(false, outbox)).as("it is to become ready").isFalse();

        outbox.add(0, List.of(SampleEvents.event("a", 1)), System.nanoTime());
        outbox.take(0, System.nanoTime());

        assertThat(Deadlines.none(true, outbox)).as("it is to answer").isFalse();
    }

    @Test
    void workerWithoutDeadlines_isLookedAtMoreOftenThanItMayBeSilent() {
        assertThat(Deadlines.rest(settings))
                .isLessThan(settings.silenceTimeout().dividedBy(2));
    }
}
