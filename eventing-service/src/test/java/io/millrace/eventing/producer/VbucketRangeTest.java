package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class VbucketRangeTest {

    @Test
    void split_ofOneNodeWithThreeWorkers_isFigure5BeforeRebalance() {
        assertThat(VbucketRange.ALL.split(3)).containsExactly(range(0, 341), range(342, 682), range(683, 1023));
    }

    @Test
    void split_ofTwoNodesWithThreeWorkers_isFigure5AfterRebalance() {
        List<VbucketRange> nodes = VbucketRange.ALL.split(2);

        assertThat(nodes.get(0).split(3)).containsExactly(range(0, 170), range(171, 341), range(342, 511));
        assertThat(nodes.get(1).split(3)).containsExactly(range(512, 682), range(683, 853), range(854, 1023));
    }

    @Test
    void split_inMorePartsThanVbuckets_leavesEmptyOnes() {
        assertThat(range(5, 6).split(4)).containsExactly(range(5, 5), range(6, 6), range(7, 6), range(7, 6));
    }

    @Test
    void route_ofAnySize_givesEveryVbucketOneLaneInOrder() {
        for (int workers : new int[] {1, 3, 7, 64}) {
            for (int threads : new int[] {1, 2, 16, 64}) {
                Route route = Route.of(VbucketRange.ALL, workers, threads);
                int lane = 0;
                for (int vbucket = 0; vbucket < 1024; vbucket++) {
                    assertThat(route.laneOf(vbucket)).isBetween(lane, route.lanes() - 1);
                    lane = route.laneOf(vbucket);
                    VbucketRange worker = route.workers().get(route.workerOf(vbucket));
                    assertThat(vbucket).isBetween(worker.first(), worker.last());
                    assertThat(route.threadOfLane(lane)).isLessThan(threads);
                }
            }
        }
    }

    @Test
    void route_ofAPartOfTheVbuckets_leavesTheOthersOut() {
        Route route = Route.of(range(10, 19), 2, 1);

        assertThat(route.laneOf(9)).isNegative();
        assertThat(route.laneOf(10)).isZero();
        assertThat(route.laneOf(19)).isEqualTo(1);
        assertThat(route.laneOf(20)).isNegative();
    }

    private static VbucketRange range(int first, int last) {
        return new VbucketRange(first, last);
    }
}
