package io.millrace.rebalance.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeldLeaseTest {

    private final HeldLease lease = new HeldLease(Duration.ofSeconds(10));

    @Test
    void lease_countsFromTheRequestAndEndsEarly() {
        assertThat(lease.held(0)).isFalse();

        lease.renewed(1000, false);

        assertThat(lease.held(9_999)).isTrue();
        assertThat(lease.held(10_000)).isFalse();
    }

    @Test
    void term_continuesWhileTheStoreCannotHaveEndedTheLease() {
        lease.renewed(0, false);
        lease.renewed(8_000, false);
        lease.renewed(3_000, false); // a response that arrived late

        assertThat(lease.term()).isEqualTo(1);
        assertThat(lease.valid(16_000, 1)).isTrue();
    }

    @Test
    void term_afterALapse_isNewAndNeedsAComparison() {
        lease.renewed(0, false);
        lease.renewed(9_000, false);

        assertThat(lease.held(9_500)).isTrue();
        assertThat(lease.valid(9_500, 1)).isFalse();
        assertThat(lease.valid(9_500, lease.term())).isTrue();
    }

    @Test
    void leaseThatTheStoreHadEnded_isANewTerm_howeverShortTheTimeSeems() {
        lease.renewed(0, true);
        lease.renewed(3_000, false);
        assertThat(lease.term()).isEqualTo(1);

        lease.renewed(3_100, true);

        assertThat(lease.held(3_200)).isTrue();
        assertThat(lease.valid(3_200, 1)).isFalse();
        lease.renewed(3_050, true); // a response that arrived late
        assertThat(lease.term()).isEqualTo(3);
    }
}
