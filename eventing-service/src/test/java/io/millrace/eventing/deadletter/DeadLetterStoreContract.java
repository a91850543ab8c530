package io.millrace.eventing.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.deadletter.DeadLetterStore.Kept;
import io.millrace.rebalance.VbucketSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of dead letters does. */
abstract class DeadLetterStoreContract {

    private final CheckpointGroup group =
            new CheckpointGroup("meta", UUID.randomUUID().toString());

    private long epoch;

    abstract DeadLetterStore store();

    abstract CheckpointStore checkpoints();

    @BeforeEach
    void own() {
        epoch = checkpoints().claim(group, "a", VbucketSet.range(0, 9)).join().epoch();
    }

    private static DeadLetter letter(int vbucket, long seqno, String error) {
        return new DeadLetter(
                DeadLetter.name(vbucket, seqno),
                "OnUpdate",
                5,
                "4bf92f",
                new DeadLetter.Change("_default", "_default", "d\u00fc" + seqno, vbucket, seqno, seqno),
                new DeadLetter.Failure("threw", error, 3, 7, "at OnUpdate (f:3:7)"),
                new DeadLetter.Attempts(4, 1_700_000_000_123L, 1_700_000_009_123L),
                new DeadLetter.Content(11, "{\"a\":\"\u00fc\"}"));
    }

    private int bury(DeadLetter letter, int most) {
        return store().bury(group, epoch, letter, most).join();
    }

    private List<String> names() {
        return store().names(group).join();
    }

    @Test
    void letter_isFoundAsItWasKept() {
        DeadLetter letter = letter(3, (1L << 52) + 1, "Error: \u00fc\n no");

        assertThat(bury(letter, 10)).isZero();

        Kept kept = store().find(group, letter.name()).join().orElseThrow();
        assertThat(kept.letter()).isEqualTo(letter);
        assertThat(kept.replaying()).isFalse();
        assertThat(store().find(group, "3-1").join()).isEmpty();
        assertThat(store().find(group, "#").join()).isEmpty();
    }

    @Test
    void onReplay_isCalledWhenOneOfTheLettersIsToBeReplayed() throws InterruptedException {
        Semaphore asked = new Semaphore(0);
        bury(letter(3, 1, "no"), 10);
        try (ChangeNotifier.Subscription announced = store().onReplay(group, asked::release)) {
            await().until(() -> {
                store().askForReplay(group, List.of("3-1")).join(); // until the subscription has arrived
                return asked.tryAcquire(20, TimeUnit.MILLISECONDS);
            });
            asked.drainPermits();

            store().askForReplay(group, List.of("3-1")).join();

            assertThat(asked.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void withdrawReplay_leavesTheLetters() {
        bury(letter(3, 1, "no"), 10);
        bury(letter(3, 2, "no"), 10);
        store().askForReplay(group, List.of("3-1", "3-2")).join();

        store().withdrawReplay(group, List.of("3-1", "3-9")).join();

        assertThat(names()).containsExactly("3-1", "3-2");
        assertThat(store().find(group, "3-1").join().orElseThrow().replaying()).isFalse();
        assertThat(store().find(group, "3-2").join().orElseThrow().replaying()).isTrue();
    }

    @Test
    void bury_withAnEpochThatHasEnded_writesNothing() {
        checkpoints().claim(group, "a", VbucketSet.range(3, 3)).join();

        assertThat(bury(letter(3, 1, "no"), 10)).isEqualTo(DeadLetterStore.FENCED);
        assertThat(bury(letter(77, 1, "no"), 10)).isEqualTo(DeadLetterStore.FENCED);

        assertThat(names()).isEmpty();
    }

    @Test
    void bury_beyondTheMost_dropsTheOldest() {
        for (int seqno = 1; seqno <= 3; seqno++) {
            assertThat(bury(letter(1, seqno, "no"), 3)).isZero();
        }

        assertThat(bury(letter(1, 4, "no"), 3)).isEqualTo(1);
        assertThat(names()).containsExactly("1-2", "1-3", "1-4");
        assertThat(bury(letter(1, 5, "no"), 1)).isEqualTo(3);
        assertThat(names()).containsExactly("1-5");
        assertThat(store().count(group).join()).isEqualTo(1);
    }

    @Test
    void bury_withTheSameName_replacesTheLetterAndItsReplayRequest() {
        bury(letter(1, 1, "first"), 3);
        bury(letter(1, 2, "other"), 3);
        store().askForReplay(group, List.of("1-1")).join();

        bury(letter(1, 1, "second"), 3);

        assertThat(names()).containsExactly("1-2", "1-1");
        Kept kept = store().find(group, "1-1").join().orElseThrow();
        assertThat(kept.letter().failure().error()).isEqualTo("second");
        assertThat(kept.replaying()).isFalse();
    }

    @Test
    void list_pageByPage_isNewestFirst() {
        for (int seqno = 1; seqno <= 5; seqno++) {
            bury(letter(seqno, seqno, "no"), 10);
        }

        List<Kept> first = store().list(group, Long.MAX_VALUE, 2).join();
        List<Kept> second = store().list(group, first.getLast().number(), 2).join();
        List<Kept> third = store().list(group, second.getLast().number(), 2).join();

        assertThat(first).extracting(kept -> kept.letter().name()).containsExactly("5-5", "4-4");
        assertThat(second).extracting(kept -> kept.letter().name()).containsExactly("3-3", "2-2");
        assertThat(third).extracting(kept -> kept.letter().name()).containsExactly("1-1");
    }

    @Test
    void replay_isForTheOwnersOfTheVbuckets() {
        bury(letter(1, 1, "no"), 10);
        bury(letter(2, 2, "no"), 10);
        bury(letter(2, 3, "no"), 10);

        assertThat(store().askForReplay(group, List.of("1-1", "2-2", "2-9")).join())
                .isEqualTo(2);

        assertThat(store().toReplay(group, VbucketSet.range(0, 1), 9).join())
                .extracting(DeadLetter::name)
                .containsExactly("1-1");
        assertThat(store().toReplay(group, VbucketSet.range(0, 9), 1).join()).hasSize(1);
        assertThat(store().list(group, Long.MAX_VALUE, 9).join())
                .extracting(Kept::replaying)
                .containsExactly(false, true, true);
    }

    @Test
    void drop_removesLettersAndRequestsForReplay() {
        bury(letter(1, 1, "no"), 10);
        bury(letter(2, 2, "no"), 10);
        store().askForReplay(group, List.of("1-1")).join();

        assertThat(store().drop(group, List.of("1-1", "1-1x", "#")).join()).isEqualTo(1);

        assertThat(names()).containsExactly("2-2");
        assertThat(store().toReplay(group, VbucketSet.range(0, 9), 9).join()).isEmpty();
        store().deleteAll(group).join();
        assertThat(names()).isEmpty();
    }
}
