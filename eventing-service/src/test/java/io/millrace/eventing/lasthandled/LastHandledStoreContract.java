package io.millrace.eventing.lasthandled;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.lasthandled.LastHandledStore.Handled;
import io.millrace.rebalance.VbucketSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of states that were handled last does. */
abstract class LastHandledStoreContract {

    private final CheckpointGroup group =
            new CheckpointGroup("meta", UUID.randomUUID().toString());

    private long epoch;

    abstract LastHandledStore store();

    abstract CheckpointStore checkpoints();

    @BeforeEach
    void own() {
        epoch = checkpoints().claim(group, "a", VbucketSet.range(0, 9)).join().epoch();
    }

    private static byte[] state(int... octets) {
        byte[] state = new byte[octets.length];
        for (int i = 0; i < state.length; i++) {
            state[i] = (byte) octets[i];
        }
        return state;
    }

    @Test
    void state_isReadAsItWasWritten() {
        int refused = store().remember(
                        group,
                        List.of(
                                new Handled(1, epoch, "/\u00fc", state(1, 0, 255)),
                                new Handled(2, epoch, "s.c/x", state(7)),
                                new Handled(2, epoch, "s.c/x", state(8))))
                .join();

        assertThat(refused).isZero();
        List<byte[]> found =
                store().recall(group, List.of("s.c/x", "/none", "/\u00fc")).join();
        assertThat(found.get(0)).containsExactly(8);
        assertThat(found.get(1)).isNull();
        assertThat(found.get(2)).containsExactly(1, 0, -1);
    }

    @Test
    void emptyState_forgetsTheDocument() {
        store().remember(group, List.of(new Handled(1, epoch, "/x", state(1)))).join();

        store().remember(group, List.of(new Handled(1, epoch, "/x", state()))).join();

        assertThat(store().recall(group, List.of("/x")).join()).containsExactly((byte[]) null);
    }

    @Test
    void remember_withAnEpochThatHasEnded_isRefused() {
        checkpoints().claim(group, "a", VbucketSet.range(3, 3)).join();

        int refused = store().remember(
                        group,
                        List.of(
                                new Handled(3, epoch, "/old", state(1)),
                                new Handled(4, epoch, "/mine", state(1)),
                                new Handled(77, epoch, "/never", state(1))))
                .join();

        assertThat(refused).isEqualTo(2);
        List<byte[]> found =
                store().recall(group, List.of("/old", "/mine", "/never")).join();
        assertThat(found.get(0)).isNull();
        assertThat(found.get(1)).isNotNull();
        assertThat(found.get(2)).isNull();
    }

    @Test
    void deleteAll_forgetsEverything() {
        store().remember(group, List.of(new Handled(1, epoch, "/x", state(1)))).join();

        store().deleteAll(group).join();

        assertThat(store().recall(group, List.of("/x")).join()).containsExactly((byte[]) null);
    }
}
