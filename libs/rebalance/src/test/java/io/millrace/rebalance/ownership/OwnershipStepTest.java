package io.millrace.rebalance.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnershipStepTest {

    private static final Layout TWO = Layout.contiguous("x", List.of("a", "b"));
    private static final Plan PLAN = TWO.plan(Planner.DEFAULT);

    @Test
    void surplus_isGivenUpBeforeATakeOver() {
        OwnershipStep step = OwnershipStep.next(TWO, PLAN, "a", VbucketSet.range(500, 600));

        assertThat(step).isEqualTo(new OwnershipStep.GiveUp(VbucketSet.range(512, 600)));
        assertThat(OwnershipStep.unsettled(TWO, PLAN, "a", VbucketSet.range(500, 600)))
                .isEqualTo(89 + 500);
    }

    @Test
    void missing_isTakenOver() {
        OwnershipStep step = OwnershipStep.next(TWO, PLAN, "a", VbucketSet.range(500, 511));

        assertThat(step).isEqualTo(new OwnershipStep.TakeOver(VbucketSet.range(0, 499)));
        assertThat(OwnershipStep.next(TWO, PLAN, "a", VbucketSet.range(0, 511))).isEqualTo(new OwnershipStep.Settled());
    }

    @Test
    void frozenLayout_keepsSurplus() {
        Layout frozen = TWO.frozen(List.of("a", "b"));

        assertThat(OwnershipStep.next(frozen, PLAN, "a", VbucketSet.range(0, 600)))
                .isEqualTo(new OwnershipStep.Settled());
        assertThat(OwnershipStep.next(frozen, PLAN, "b", VbucketSet.range(601, 1023)))
                .isEqualTo(new OwnershipStep.TakeOver(VbucketSet.range(512, 600)));
    }

    @Test
    void nodeOutsideTheLayout_ownsNothing() {
        assertThat(OwnershipStep.next(TWO, PLAN, "c", VbucketSet.range(0, 5)))
                .isEqualTo(new OwnershipStep.GiveUp(VbucketSet.range(0, 5)));
    }
}
