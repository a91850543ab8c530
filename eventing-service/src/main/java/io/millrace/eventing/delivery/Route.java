package io.millrace.eventing.delivery;

import io.millrace.documents.VBuckets;
import io.millrace.rebalance.VbucketSet;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns each vbucket to a lane, which is a thread of a worker. Lanes are numbered worker by worker. A worker has a
 * range of vbuckets; its threads take turns in it, so that a busy part of the range is spread over all of them.
 *
 * @param workers the vbuckets of each worker
 * @param laneOf the lane by vbucket, -1 for a vbucket of another node
 */
record Route(List<VbucketSet> workers, int threads, int[] laneOf) {

    static Route of(VbucketSet owned, int workers, int threads) {
        int[] laneOf = new int[VBuckets.COUNT];
        Arrays.fill(laneOf, -1);
        List<VbucketSet> shares = owned.split(workers);
        for (int worker = 0; worker < workers; worker++) {
            int first = worker * threads;
            shares.get(worker).stream().forEach(vbucket -> laneOf[vbucket] = first + vbucket % threads);
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
