package io.millrace.eventing.producer;

import io.millrace.documents.VBuckets;
import io.millrace.rebalance.VbucketSet;
import java.util.Arrays;
import java.util.List;

/**
 * Which lane, a thread of a worker, has which vbucket. Lanes are numbered worker by worker.
 *
 * @param workers the vbuckets of each worker
 * @param laneOf the lane by vbucket, -1 for a vbucket that is not of this node
 */
record Route(List<VbucketSet> workers, int threads, int[] laneOf) {

    static Route of(VbucketSet owned, int workers, int threads) {
        int[] laneOf = new int[VBuckets.COUNT];
        Arrays.fill(laneOf, -1);
        List<VbucketSet> shares = owned.split(workers);
        int lane = 0;
        for (VbucketSet worker : shares) {
            for (VbucketSet thread : worker.split(threads)) {
                int number = lane++;
                thread.stream().forEach(vbucket -> laneOf[vbucket] = number);
            }
        }
        return new Route(shares, threads, laneOf);
    }

    int lanes() {
        return workers.size() * threads;
    }

    int laneOf(int vbucket) {
        return laneOf[vbucket];
    }

    int threadOfLane(int lane) {
        return lane % threads;
    }

    int workerOf(int vbucket) {
        return laneOf(vbucket) / threads;
    }
}
