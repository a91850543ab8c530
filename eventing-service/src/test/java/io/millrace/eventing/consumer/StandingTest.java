package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.workerprotocol.WorkerExit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StandingTest {

    private static final Placement SHARED = new Placement("owner", Isolation.SHARED);
    private static final Death LOST = Death.of(137, true, true);

    private final Suspects suspects = new Suspects();
    private final AtomicInteger turns = new AtomicInteger();
    private final Standing first = new Standing(suspects, SHARED, turns::incrementAndGet);
    private final Standing second = new Standing(suspects, SHARED, turns::incrementAndGet);

    @Test
    void functionThatEndedItsHost_isConvictedAtOnce() {
        boolean counts = first.died(Death.of(WorkerExit.STUCK.code(), true, true), true);

        assertThat(counts).isTrue();
        assertThat(first.placement()).isEqualTo(SHARED.convicted());
        assertThat(first.convictedFor()).contains("could not be stopped");
    }

    @Test
    void functionThatKeptTooMuch_isSetApartAndItsEventsAreInnocent() {
        boolean counts = first.died(Death.of(WorkerExit.KEPT_TOO_MUCH.code(), true, true), true);
        boolean countsAlone = first.died(Death.of(WorkerExit.KEPT_TOO_MUCH.code(), false, true), true);

        assertThat(counts).isFalse();
        assertThat(countsAlone).isFalse();
        assertThat(first.placement()).isEqualTo(SHARED.convicted());
        assertThat(first.convictedFor()).contains("kept the most memory");
    }

    @ParameterizedTest
    @EnumSource(names = {"STORE_AWAY", "STORE_FULL"})
    void functionThatCannotUseTheStore_isInnocentAndWaitsUntilItsEventsAreSettled(WorkerExit exit) {
        Death alone = Death.of(exit.code(), false, true);

        assertThat(first.died(Death.of(exit.code(), true, true), true)).isFalse();
        assertThat(first.died(alone, true)).isFalse();

        assertThat(first.placement()).isEqualTo(SHARED);
        assertThat(first.maySend()).isTrue();
        assertThat(first.waitsFor()).contains("Redis");
        assertThat(alone.blameless()).as("its successor may start at once").isFalse();
        first.clearedIf(false);
        assertThat(first.waitsFor()).isNotEmpty();
        first.clearedIf(true);
        assertThat(first.waitsFor()).isEmpty();
    }

    @Test
    void neighborOfIt_isInnocent() {
        boolean counts = first.died(Death.of(WorkerExit.NEIGHBOR.code(), true, true), true);

        assertThat(counts).isFalse();
        assertThat(first.placement()).isEqualTo(SHARED);
        assertThat(first.maySend()).isTrue();
    }

    @Test
    void deathOfAProcessOfItsOwn_countsAndChangesNothing() {
        boolean counts = first.died(Death.of(137, false, true), true);

        assertThat(counts).isTrue();
        assertThat(first.maySend()).isTrue();
    }

    @Test
    void functionsInFlightAtAnUnexplainedDeath_takeTurns() {
        assertThat(first.died(LOST, true)).isFalse();
        assertThat(second.died(LOST, true)).isFalse();
        assertThat(first.maySend()).isTrue();
        assertThat(second.maySend()).isFalse();

        first.clearedIf(true);

        assertThat(second.maySend()).isTrue();
        await().until(() -> turns.get() == 2);
        assertThat(first.placement()).isEqualTo(SHARED);
    }

    @Test
    void functionWhoseTurnItIsAtTheNextDeath_isConvicted() {
        first.died(LOST, true);
        second.died(LOST, true);

        boolean counts = first.died(LOST, true);
        boolean countsForTheOther = second.died(LOST, false);

        assertThat(counts).isTrue();
        assertThat(first.placement().isolation()).isEqualTo(Isolation.PROCESS);
        assertThat(countsForTheOther).isFalse();
        assertThat(second.placement()).isEqualTo(SHARED);
        assertThat(second.maySend()).isTrue();
    }

    @Test
    void slowTurn_doesNotKeepTheNextOneWaiting() {
        first.died(LOST, true);
        second.died(LOST, true);
        assertThat(first.maySend()).isTrue();

        await().until(second::maySend);
        assertThat(second.died(LOST, true))
                .as("the turn began after that of the first")
                .isFalse();
        assertThat(first.died(LOST, true)).isTrue();
    }

    @Test
    void functionThatIsSuspectedDuringASlowTurn_doesNotWaitForItsEnd() {
        Standing third = new Standing(suspects, SHARED, turns::incrementAndGet);
        first.died(LOST, true);
        second.died(LOST, true);
        assertThat(first.maySend()).isTrue();
        await().until(second::maySend);
        second.clearedIf(true);

        third.died(LOST, true);

        assertThat(third.maySend()).isTrue();
    }

    @Test
    void turnThatIsNotTaken_doesNotKeepTheNextOneWaiting() {
        first.died(LOST, true);
        second.died(LOST, true);

        await().until(second::maySend);
    }

    @Test
    void functionThatEndsBeforeItTookItsTurn_leavesTheQueue() {
        first.died(LOST, true);
        second.died(LOST, true);

        first.leave();

        assertThat(second.maySend()).isTrue();
    }

    @Test
    void idleFunction_isNotSuspected() {
        assertThat(first.died(LOST, false)).isFalse();

        assertThat(first.maySend()).isTrue();
        assertThat(turns).hasValue(0);
    }

    @Test
    void functionThatWasBeingStarted_startsInItsTurn() {
        second.died(LOST, true);
        first.died(Death.of(137, true, false), true);

        assertThat(first.mayStart()).isFalse();
        second.clearedIf(true);
        assertThat(first.mayStart()).isTrue();
    }
}
