package io.millrace.eventing.consumer;

import static io.millrace.eventing.consumer.SampleEvents.event;
import static io.millrace.eventing.consumer.SampleEvents.events;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.metrics.Histogram;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private static final DeliverySettings SETTINGS = DeliverySettings.DEFAULT;

    private final Outbox outbox = new Outbox(2, SETTINGS, new Histogram());
    private long now = 1;

    @Test
    void take_withMoreThanTheWindow_stopsAtTheWindow() {
        outbox.add(0, events(1, 1000), now);

        assertThat(takeAll(0))
                .hasSize(4)
                .allSatisfy(batch -> assertThat(batch.events()).hasSize(100));
        assertThat(outbox.inFlightEvents()).isEqualTo(400);
        assertThat(outbox.unacknowledged()).isEqualTo(1000);
    }

    @Test
    void take_ofLargeEvents_makesSmallBatches() {
        for (int i = 1; i <= 6; i++) {
            outbox.add(0, List.of(event("d" + i, i, 3_000_000)), now);
        }

        assertThat(takeAll(0)).extracting(batch -> batch.events().size()).containsExactly(2, 2, 2);
        assertThat(outbox.waitingBytes()).isZero();
    }

    @Test
    void full_dependsOnWhatWaitsInTheLane() {
        assertThat(outbox.full(0)).isFalse();
        outbox.add(0, events(1, 1000), now);
        assertThat(outbox.full(0)).isTrue();
        assertThat(outbox.full(1)).isFalse();

        takeAll(0);

        assertThat(outbox.full(0)).isFalse();
    }

    @Test
    void full_withFewLargeEvents_isTrue() {
        outbox.add(0, List.of(event("d", 1, 17 * 1024 * 1024)), now);

        assertThat(outbox.full(0)).isTrue();
    }

    @Test
    void done_ofTheOldestBatch_opensTheWindow() {
        outbox.add(0, events(1, 1000), now);
        List<Frame.Batch> batches = takeAll(0);

        List<Event> done = done(batches.getFirst());

        assertThat(done).isEqualTo(batches.getFirst().events());
        assertThat(seqnos(takeAll(0))).startsWith(401L);
    }

    @Test
    void done_outOfOrder_isRefused() {
        outbox.add(0, events(1, 1000), now);
        List<Frame.Batch> batches = takeAll(0);

        assertThat(done(batches.get(1))).isEmpty();
        assertThat(outbox.done(new Frame.Done(1, 0, List.of()), now)).isEmpty();
        assertThat(outbox.done(new Frame.Done(1, 9, List.of()), now)).isEmpty();
    }

    @Test
    void batches_ofASlowHandler_becomeSmall() {
        outbox.add(0, events(1, 1000), now);
        for (int i = 0; i < 20; i++) {
            Frame.Batch batch = takeOne();
            now += Duration.ofMillis(25).toNanos() * batch.events().size();
            done(batch);
        }

        assertThat(takeOne().events()).hasSize(2); // 2 x 25 ms = 50 ms
    }

    @Test
    void workerDied_resendsInOrderBeforeAnythingNewer() {
        outbox.add(0, events(1, 250), now);
        List<Frame.Batch> batches = takeAll(0);
        done(batches.getFirst());
        outbox.add(0, events(251, 300), now);

        outbox.workerDied(now, true);

        assertThat(seqnos(takeAll(0))).containsExactlyElementsOf(range(101, 300));
    }

    @Test
    void workerDied_withSeveralChangesOfADocumentInFlight_resendsTheLastOnly() {
        outbox.add(0, List.of(event("a", 1), event("b", 2), event("a", 3)), now);
        takeAll(0);
        outbox.add(0, List.of(event("a", 4)), now);

        Outbox.NotResent notResent = outbox.workerDied(now, true);

        assertThat(notResent.superseded()).extracting(Event::seqno).containsExactly(1L);
        assertThat(seqnos(takeAll(0))).containsExactly(2L, 3L, 4L);
    }

    @Test
    void workerDied_twiceWithTheSameInFlight_isolates() {
        outbox.add(0, events(1, 150), now);
        outbox.add(1, events(151, 160), now);
        takeAll(0);
        takeAll(1);
        outbox.workerDied(now, true);
        takeAll(0);
        takeAll(1);

        outbox.workerDied(now, true);

        assertThat(seqnos(takeAll(0))).containsExactly(1L);
        assertThat(takeAll(1)).as("one event at a time in the whole worker").isEmpty();
    }

    @Test
    void isolation_endsWhenTheSuspectsAreAcknowledged() {
        outbox.add(0, events(1, 3), now);
        takeAll(0);
        outbox.workerDied(now, true);
        takeAll(0);
        outbox.workerDied(now, true);
        outbox.add(0, events(4, 20), now);

        for (int i = 0; i < 3; i++) {
            List<Frame.Batch> one = takeAll(0);
            assertThat(seqnos(one)).hasSize(1);
            done(one.getFirst());
        }

        assertThat(seqnos(takeAll(0))).hasSize(17);
    }

    @Test
    void event_aloneInFlightAtTheFifthDeath_isGivenUp() {
        outbox.add(0, events(1, 10), now);
        outbox.add(1, events(11, 12), now);
        List<Event> givenUp = new ArrayList<>();
        List<Long> acknowledged = new ArrayList<>();

        int deaths = 0;
        while (outbox.unacknowledged() > 0) {
            boolean died = false;
            for (int thread = 0; thread < 2 && !died; thread++) {
                for (Frame.Batch batch : takeAll(thread)) {
                    if (seqnos(List.of(batch)).contains(4L)) {
                        deaths++;
                        Outbox.NotResent notResent = outbox.workerDied(now, true);
                        if (notResent.givenUp() != null) {
                            givenUp.add(notResent.givenUp());
                        }
                        died = true;
                        break;
                    }
                    done(batch).forEach(event -> acknowledged.add(event.seqno()));
                }
            }
        }

        assertThat(givenUp).extracting(Event::id).containsExactly("d4");
        assertThat(deaths).isEqualTo(SETTINGS.poisonDeaths());
        assertThat(acknowledged).doesNotContain(4L).containsAll(range(5, 12)).containsAll(range(1, 3));
    }

    @Test
    void workerDied_withNothingInFlight_suspectsNoEvent() {
        outbox.add(0, events(1, 300), now);
        for (int i = 0; i < 10; i++) {
            assertThat(outbox.workerDied(now, true).givenUp()).isNull();
        }

        assertThat(takeAll(0)).hasSize(3);
    }

    @Test
    void overdue_countsFromWhenTheWorkerCouldBegin() {
        outbox.add(0, events(1, 200), now);
        List<Frame.Batch> batches = takeAll(0);
        now = 150;
        done(batches.getFirst());

        assertThat(outbox.overdue(250, 1, 10)).isFalse();
        assertThat(outbox.overdue(261, 1, 10)).isTrue();
        done(batches.get(1));
        assertThat(outbox.overdue(1_000_000, 1, 10)).isFalse();
    }

    private Frame.Batch takeOne() {
        return Objects.requireNonNull(outbox.take(0, now));
    }

    private List<Frame.Batch> takeAll(int thread) {
        List<Frame.Batch> batches = new ArrayList<>();
        for (Frame.Batch batch = outbox.take(thread, now); batch != null; batch = outbox.take(thread, now)) {
            batches.add(batch);
        }
        return batches;
    }

    private List<Event> done(Frame.Batch batch) {
        List<Outcome> outcomes = Collections.nCopies(batch.events().size(), Outcome.success(1));
        return outbox.done(new Frame.Done(batch.batch(), batch.thread(), outcomes), now);
    }

    private static List<Long> seqnos(List<Frame.Batch> batches) {
        return batches.stream()
                .flatMap(batch -> batch.events().stream())
                .map(Event::seqno)
                .toList();
    }

    private static List<Long> range(long first, long last) {
        return events(first, last).stream().map(Event::seqno).toList();
    }
}
