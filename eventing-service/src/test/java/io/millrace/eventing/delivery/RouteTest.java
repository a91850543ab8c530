package io.millrace.eventing.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.VbucketSet;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RouteTest {

    private static final VbucketSet ALL = VbucketSet.range(0, 1023);

    @Test
    void route_ofAnySize_givesEveryVbucketOneLaneOfItsWorker() {
        for (int workers : new int[] {1, 3, 7, 64}) {
            for (int threads : new int[] {1, 2, 16, 64}) {
                Route route = Route.of(ALL, workers, threads);
                int worker = 0;
                for (int vbucket = 0; vbucket < 1024; vbucket++) {
                    int lane = route.laneOf(vbucket);
                    assertThat(lane).isBetween(0, route.lanes() - 1);
                    assertThat(route.workerOf(vbucket)).isGreaterThanOrEqualTo(worker);
                    worker = route.workerOf(vbucket);
                    assertThat(route.workers().get(route.workerOf(vbucket)).contains(vbucket))
                            .isTrue();
                    assertThat(route.threadOfLane(lane)).isLessThan(threads);
                }
            }
        }
    }

    @Test
    void rangeOfAWorker_isSharedOutToAllItsThreads() {
        Route route = Route.of(VbucketSet.range(256, 511), 2, 4);

        Map<Integer, Long> takenOver =
                IntStream.range(300, 324).boxed().collect(Collectors.groupingBy(route::laneOf, Collectors.counting()));

        assertThat(takenOver).isEqualTo(Map.of(0, 6L, 1, 6L, 2, 6L, 3, 6L));
        assertThat(route.workerOf(383)).isZero();
        assertThat(route.workerOf(384)).isOne();
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
