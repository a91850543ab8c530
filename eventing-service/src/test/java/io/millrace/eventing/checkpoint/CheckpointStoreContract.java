package io.millrace.eventing.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.checkpoint.CheckpointStore.Claim;
import io.millrace.rebalance.VbucketSet;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every store of checkpoints does. */
abstract class CheckpointStoreContract {

    private final CheckpointGroup group =
            new CheckpointGroup("meta", UUID.randomUUID().toString());

    /** With a metadata bucket of its own, so that no lease of another test counts. */
    private final CheckpointGroup leased =
            new CheckpointGroup("meta-" + UUID.randomUUID(), UUID.randomUUID().toString());

    abstract CheckpointStore store();

    @Test
    void claim_firstTime_startsEveryVbucketOfTheRange() {
        Claim claim = store().claim(group, "a", VbucketSet.range(3, 6)).join();

        assertThat(claim.checkpoints()).extracting(Checkpoint::vbucket).containsExactly(3, 4, 5, 6);
        assertThat(claim.checkpoints()).allSatisfy(checkpoint -> {
            assertThat(checkpoint.started()).isFalse();
            assertThat(checkpoint.epoch()).isEqualTo(claim.epoch());
            assertThat(checkpoint.owner()).isEqualTo("a");
        });
    }

    @Test
    void claim_afterSaves_returnsWhatWasSavedUnderANewEpoch() {
        Claim first = store().claim(group, "a", VbucketSet.range(0, 1023)).join();
        Checkpoint saved = new Checkpoint(1023, first.epoch(), (1L << 52) + 1, "u1", 1_700_000_000_123L, "w0", "a");
        List<Integer> fenced = store().save(group, List.of(saved)).join();

        Claim second = store().claim(group, "b", VbucketSet.range(0, 1023)).join();

        assertThat(fenced).isEmpty();
        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(second.checkpoints()).hasSize(1024);
        assertThat(second.checkpoints().getLast())
                .isEqualTo(new Checkpoint(1023, second.epoch(), (1L << 52) + 1, "u1", 1_700_000_000_123L, "w0", "b"));
        assertThat(second.checkpoints().getFirst().started()).isFalse();
    }

    @Test
    void save_afterAnotherClaim_isFencedAndChangesNothing() {
        Claim old = store().claim(group, "a", VbucketSet.range(0, 9)).join();
        Claim current = store().claim(group, "b", VbucketSet.range(5, 9)).join();
        store().save(group, List.of(at(7, current.epoch(), 70))).join();

        List<Integer> fenced = store().save(group, List.of(at(4, old.epoch(), 44), at(7, old.epoch(), 77)))
                .join();

        assertThat(fenced).containsExactly(7);
        assertThat(store().claim(group, "c", VbucketSet.range(4, 7)).join().checkpoints())
                .extracting(Checkpoint::seqno)
                .containsExactly(44L, Checkpoint.NOT_STARTED, Checkpoint.NOT_STARTED, 70L);
    }

    @Test
    void save_ofAllVbucketsAtOnce_savesThemAll() {
        Claim claim = store().claim(group, "a", VbucketSet.range(0, 1023)).join();

        List<Integer> fenced = store().save(
                        group,
                        claim.checkpoints().stream()
                                .map(each -> at(each.vbucket(), claim.epoch(), each.vbucket()))
                                .toList())
                .join();

        assertThat(fenced).isEmpty();
        assertThat(store().claim(group, "a", VbucketSet.range(0, 1023)).join().checkpoints())
                .allSatisfy(each -> assertThat(each.seqno()).isEqualTo(each.vbucket()));
    }

    @Test
    void save_ofNoCheckpoints_doesNothing() {
        assertThat(store().save(group, List.of()).join()).isEmpty();
    }

    @Test
    void save_afterDeleteAll_isFenced() {
        Claim claim = store().claim(group, "a", VbucketSet.range(0, 1)).join();

        store().deleteAll(group).join();

        assertThat(store().save(group, List.of(at(0, claim.epoch(), 5))).join()).containsExactly(0);
        Claim next = store().claim(group, "a", VbucketSet.range(0, 1)).join();
        assertThat(next.checkpoints()).noneMatch(Checkpoint::started);
        assertThat(store().save(group, List.of(at(0, claim.epoch(), 5))).join())
                .as("an epoch from before the deletion")
                .containsExactly(0);
    }

    @Test
    void groups_areSeparate() {
        CheckpointGroup other = new CheckpointGroup("meta", UUID.randomUUID().toString());
        Claim claim = store().claim(group, "a", VbucketSet.range(0, 1)).join();
        store().claim(other, "b", VbucketSet.range(0, 1)).join();
        store().deleteAll(other).join();

        assertThat(store().save(group, List.of(at(1, claim.epoch(), 5))).join()).isEmpty();
    }

    @Test
    void claim_ofWhatAnotherNodeHas_waitsForItsRelease() {
        store().renew(leased.metadataBucket(), "a", Duration.ofMinutes(1)).join();
        Claim first = store().claim(leased, "a", VbucketSet.range(0, 9)).join();

        Claim early = store().claim(leased, "b", VbucketSet.range(5, 12)).join();
        List<Integer> fenced = store().giveUp(leased, List.of(at(6, first.epoch(), 66), at(7, first.epoch() - 1, 1)))
                .join();
        Claim late = store().claim(leased, "b", VbucketSet.range(5, 12)).join();

        assertThat(early.checkpoints()).extracting(Checkpoint::vbucket).containsExactly(10, 11, 12);
        assertThat(early.refused()).containsOnlyKeys(5, 6, 7, 8, 9).containsValue("a");
        assertThat(fenced).containsExactly(7);
        assertThat(late.checkpoints()).extracting(Checkpoint::vbucket).containsExactly(6, 10, 11, 12);
        assertThat(late.checkpoints().getFirst().seqno()).isEqualTo(66);
        assertThat(store().save(leased, List.of(at(6, first.epoch(), 67))).join())
                .containsExactly(6);
    }

    @Test
    void claim_ofWhatANodeWithoutLeaseHas_isGranted() {
        store().renew(leased.metadataBucket(), "c", Duration.ofMillis(1)).join();
        store().renew(leased.metadataBucket(), "d", Duration.ofMinutes(1)).join();
        store().claim(leased, "c", VbucketSet.range(0, 1)).join();
        store().claim(leased, "d", VbucketSet.range(2, 3)).join();

        await().untilAsserted(() -> assertThat(store().claim(leased, "b", VbucketSet.range(0, 3))
                        .join()
                        .refused())
                .containsOnlyKeys(2, 3));
        store().renew(leased.metadataBucket(), "d", Duration.ZERO).join();

        assertThat(store().claim(leased, "b", VbucketSet.range(0, 3)).join().refused())
                .isEmpty();
    }

    @Test
    void lease_saysWhetherItHadEnded() {
        String bucket = leased.metadataBucket();
        assertThat(store().renew(bucket, "e", Duration.ofMinutes(1)).join().lapsed())
                .isTrue();
        assertThat(store().renew(bucket, "e", Duration.ofMillis(1)).join().lapsed())
                .isFalse();

        await().untilAsserted(() -> assertThat(
                        store().renew(bucket, "e", Duration.ofMillis(1)).join().lapsed())
                .isTrue());

        store().renew(bucket, "e", Duration.ofMinutes(1)).join();
        store().renew(bucket, "e", Duration.ZERO).join();
        assertThat(store().renew(bucket, "e", Duration.ofMinutes(1)).join().lapsed())
                .isTrue();
    }

    @Test
    void giveUp_isSeenByReaders() {
        Claim claim = store().claim(group, "a", VbucketSet.range(0, 1)).join();

        store().giveUp(group, List.of(at(1, claim.epoch(), 5))).join();

        assertThat(store().save(group, List.of(at(1, claim.epoch(), 6))).join()).containsExactly(1);
        List<Checkpoint> all = store().read(group).join();
        assertThat(all).extracting(Checkpoint::owner).containsExactly("a", Checkpoint.NO_OWNER);
        assertThat(all.getLast().seqno()).isEqualTo(5);
    }

    private static Checkpoint at(int vbucket, long epoch, long seqno) {
        return new Checkpoint(vbucket, epoch, seqno, "uuid", 1, "worker", "owner");
    }
}
