package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.VbucketSet;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis was restarted without its latest writes, and what it kept says that a vbucket belongs to another node. */
@Timeout(60)
class RefusedRenewalTest {

    private static final int CHANGES = 100;
    private static final int REFUSED = 1;

    private final Fixture fixture = new Fixture();
    private final LossyCheckpoints store = new LossyCheckpoints();
    private final SuperSupervisor node =
            fixture.newSupervisor("node-1", Membership.alone("node-1"), store, Duration.ofSeconds(1));

    @AfterEach
    void close() {
        node.close();
        fixture.close();
    }

    @Test
    void renewalThatIsRefused_leavesTheRecordedCheckpointsAndRepeatsWhatCameAfterThem() {
        node.start(Fixture.spec(), null).join();
        store.forgetting = true;
        List<String> ids = fixture.putMany("d", CHANGES);
        await().until(() -> fixture.workers.handledIds().containsAll(ids));

        fixture.run = "2";
        await().until(() -> store.refused);

        await().until(() -> ids.stream().allMatch(id -> Collections.frequency(fixture.workers.handledIds(), id) == 2));
        assertThat(store.givenUp).hasSize(1023).allMatch(checkpoint -> checkpoint.seqno() == 0);
    }

    /** Forgets saves, as a Redis does that crashes after it, and refuses one vbucket once after a restart. */
    private final class LossyCheckpoints implements CheckpointStore {

        volatile boolean forgetting;
        volatile boolean refused;
        volatile List<Checkpoint> givenUp = List.of();

        @Override
        public CompletableFuture<Claim> claim(CheckpointGroup group, String owner, VbucketSet wanted) {
            if (fixture.run.isEmpty() || refused) {
                return fixture.checkpoints.claim(group, owner, wanted);
            }
            refused = true;
            SortedMap<Integer, String> owners = new TreeMap<>();
            owners.put(REFUSED, "node-2");
            return fixture.checkpoints
                    .claim(group, owner, wanted.minus(VbucketSet.range(REFUSED, REFUSED)))
                    .thenApply(claim -> new Claim(claim.epoch(), claim.checkpoints(), owners));
        }

        @Override
        public CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints) {
            return forgetting && fixture.run.isEmpty()
                    ? CompletableFuture.completedFuture(List.of())
                    : fixture.checkpoints.save(group, checkpoints);
        }

        @Override
        public CompletableFuture<List<Integer>> giveUp(CheckpointGroup group, List<Checkpoint> checkpoints) {
            if (givenUp.isEmpty()) {
                givenUp = checkpoints;
            }
            return fixture.checkpoints.giveUp(group, checkpoints);
        }

        @Override
        public CompletableFuture<List<Checkpoint>> read(CheckpointGroup group) {
            return fixture.checkpoints.read(group);
        }

        @Override
        public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
            return fixture.checkpoints.deleteAll(group);
        }

        @Override
        public CompletableFuture<Renewed> renew(String metadataBucket, String node, Duration lease) {
            return fixture.checkpoints
                    .renew(metadataBucket, node, lease)
                    .thenApply(renewed -> new Renewed(fixture.run, renewed.lapsed()));
        }
    }
}
