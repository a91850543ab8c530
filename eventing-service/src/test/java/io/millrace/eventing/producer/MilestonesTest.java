package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Branch;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MilestonesTest {

    private static final int VBUCKET = 5;

    private static final String RUN = "run";

    private Branch branch = new Branch(List.of(), RUN);
    private long newest;
    private int questions;
    private final Milestones milestones = milestones(1);

    private Milestones milestones(int shards) {
        BucketInfo source = new BucketInfo("source", shards, 0, Map.of(), Map.of(), Map.of(), 0, Map.of());
        return new Milestones(
                (DocumentStore) Proxy.newProxyInstance(
                        DocumentStore.class.getClassLoader(),
                        new Class<?>[] {DocumentStore.class},
                        (proxy, method, arguments) -> {
                            questions++;
                            return CompletableFuture.completedFuture(
                                    method.getName().equals("branch") ? branch : newest);
                        }),
                source);
    }

    private void note(long reached, long newestNow) {
        newest = newestNow;
        milestones.note(vbucket -> reached, RUN).join();
    }

    private OptionalLong surviving(Branch now) {
        return milestones
                .surviving(0, now)
                .map(reached -> OptionalLong.of(reached.applyAsLong(VBUCKET)))
                .orElse(OptionalLong.empty());
    }

    private static Branch lostAfter(long survived) {
        return new Branch(survived + 1_000, survived, "run");
    }

    @Test
    void loss_leavesTheLatestMomentAfterWhichAChangeIsLeft() {
        note(10, 20);
        note(18, 30);
        note(29, 40);

        assertThat(surviving(lostAfter(41))).hasValue(29);
        assertThat(surviving(lostAfter(40))).hasValue(18);
        assertThat(surviving(lostAfter(31))).hasValue(18);
        assertThat(surviving(lostAfter(30))).hasValue(10);
        assertThat(surviving(lostAfter(20))).isEmpty();
    }

    @Test
    void momentsAfterALoss_areNotTouchedByIt() {
        note(10, 20);
        branch = lostAfter(15);
        note(1_020, 1_030);

        assertThat(surviving(branch)).hasValue(1_020);
        Branch twice = new Branch(
                List.of(new Branch.Stretch(3_000, 1_030), branch.stretches().getFirst()), "run");
        assertThat(surviving(twice)).isEmpty();
    }

    @Test
    void momentsInALaterRunThanTheClaim_areNotNoted() {
        note(10, 20);
        branch = new Branch(1_015, 15, "later run");
        note(12, 1_030);

        assertThat(surviving(new Branch(List.of(), "later run"))).hasValue(10);
        assertThat(surviving(branch)).isEmpty();
    }

    @Test
    void oldMoments_areForgotten() {
        for (long at = 10; at <= 100; at += 10) {
            note(at, at);
        }

        assertThat(surviving(lostAfter(31))).hasValue(30);
        assertThat(surviving(lostAfter(29))).isEmpty();
    }

    @Test
    void functionThatStands_asksNothing() {
        note(10, 20);
        int before = questions;

        note(10, 30);

        assertThat(questions).isEqualTo(before);
    }

    @Test
    void functionThatWentBack_knowsNothing() {
        note(10, 20);

        milestones.clear();

        assertThat(surviving(Branch.NONE)).isEmpty();
    }

    @Test
    void sourceOfManyShards_isNotAsked() {
        milestones(1024).note(vbucket -> 10, RUN).join();

        assertThat(questions).isZero();
    }
}
