package io.millrace.eventing.producer;

import io.millrace.documents.VBuckets;
import java.util.Arrays;
import java.util.List;

/**
 * Which lane, a thread of a worker, has which vbucket. Lanes are numbered worker by worker.
 *
 * @param workers the range of each worker
 * @param laneOf the lane by vbucket, -1 for a vbucket that is not of this node
 */
record Route(List<VbucketRange> workers, int threads, int[] laneOf) {

    static Route of(VbucketRange owned, int workers, int threads) {
        int[] laneOf = new int[VBuckets.COUNT];
        Arrays.fill(laneOf, -1);
        List<VbucketRange> ranges = owned.split(workers);
        int lane = 0;
        for (VbucketRange worker : ranges) {
            for (VbucketRange thread : worker.split(threads)) {
                for (int vbucket = thread.first(); vbucket <= thread.last(); vbucket++) {
                    laneOf[vbucket] = lane;
                }
                lane++;
            }
        }
        return new Route(ranges, threads, laneOf);
    }

    int lanes() {
        return workers.size() * threads;
    }

    int laneOf(int vbucket) {
        return laneOf[vbucket];
    }

    int workerOfLane(int lane) {
        return lane / threads;
    }

    int threadOfLane(int lane) {
        return lane % threads;
    }

    int workerOf(int vbucket) {
        return workerOfLane(laneOf[vbucket]);
    }
}
