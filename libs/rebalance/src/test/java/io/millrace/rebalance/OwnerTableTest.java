package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.ownership.OwnerTable;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnerTableTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final OwnerTable table = new OwnerTable(time);

    @Test
    void takeOver_withoutLease_lastsUntilTheNextTakeOver() {
        assertThat(table.takeOver("f", "a", VbucketSet.range(0, 3)).granted()).hasToString("0-3");
        assertThat(table.takeOver("f", "b", VbucketSet.range(3, 4)).granted()).hasToString("3-4");
    }

    @Test
    void takeOver_ofOwnedVbuckets_waitsForReleaseOrEndOfLease() {
        table.renew("a", LEASE);
        table.renew("b", LEASE);
        long epoch = table.takeOver("f", "a", VbucketSet.range(0, 3)).epoch();

        assertThat(table.takeOver("f", "b", VbucketSet.range(2, 5)).refused())
                .containsEntry(2, "a")
                .containsEntry(3, "a");
        assertThat(table.giveUp("f", 2, epoch)).isTrue();
        assertThat(table.takeOver("f", "b", VbucketSet.range(2, 5)).granted()).hasToString("2,4-5");

        time.runUntil(LEASE.toMillis());
        table.renew("b", LEASE);

        OwnerTable.TakeOver last = table.takeOver("f", "b", VbucketSet.range(3, 3));
        assertThat(last.granted()).hasToString("3");
        assertThat(last.held()).containsOnlyKeys(2, 3, 4, 5);
        assertThat(table.owns("f", 3, epoch)).isFalse();
        assertThat(table.giveUp("f", 3, epoch)).isFalse();
    }

    @Test
    void functions_haveSeparateOwners() {
        table.renew("a", LEASE);
        table.renew("b", LEASE);
        table.takeOver("f", "a", VbucketSet.range(0, 3));

        assertThat(table.takeOver("g", "b", VbucketSet.range(0, 3)).granted()).hasToString("0-3");
        assertThat(table.owners("f"))
                .extractingByKey(0)
                .extracting(OwnerTable.Owner::node)
                .isEqualTo("a");
    }
}
