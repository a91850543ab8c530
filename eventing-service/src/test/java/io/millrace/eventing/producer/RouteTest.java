package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.VbucketSet;
import org.junit.jupiter.api.Test;

class RouteTest {

    private static final VbucketSet ALL = VbucketSet.range(0, 1023);

    @Test
    void route_ofAnySize_givesEveryVbucketOneLaneInOrder() {
        for (int workers : new int[] {1, 3, 7, 64}) {
            for (int threads : new int[] {1, 2, 16, 64}) {
                Route route = Route.of(ALL, workers, threads);
                int lane = 0;
                for (int vbucket = 0; vbucket < 1024; vbucket++) {
                    assertThat(route.laneOf(vbucket)).isBetween(lane, route.lanes() - 1);
                    lane = route.laneOf(vbucket);
                    assertThat(route.workers().get(route.workerOf(vbucket)).contains(vbucket))
                            .isTrue();
                    assertThat(route.threadOfLane(lane)).isLessThan(threads);
                }
            }
        }
    }

    @Test
    void route_ofAPartOfTheVbuckets_leavesTheOthersOut() {
        Route route = Route.of(VbucketSet.range(10, 19), 2, 1);

        assertThat(route.laneOf(9)).isNegative();
        assertThat(route.laneOf(10)).isZero();
        assertThat(route.laneOf(19)).isEqualTo(1);
        assertThat(route.laneOf(20)).isNegative();
    }
}
