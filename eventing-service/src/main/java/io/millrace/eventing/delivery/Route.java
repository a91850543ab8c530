package io.millrace.eventing.delivery;

import io.millrace.documents.VBuckets;
import io.millrace.rebalance.VbucketSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns each vbucket to a lane, which is a thread of a worker. Lanes are numbered worker by worker. A worker has a
 * range of vbuckets; its threads take turns in it, so that a busy part of the range is spread over all of them. The workers of a
 * canary come last.
 *
 * @param workers the vbuckets of each worker
 * @param laneOf the lane by vbucket, -1 for a vbucket of another node
 */
record Route(List<VbucketSet> workers, int threads, int[] laneOf) {

    static Route of(VbucketSet owned, int workers, int threads) {
        return of(owned, workers, threads, VbucketSet.NONE, 0);
    }

    /** @param canary what the last workers have, as far as it is owned */
    static Route of(VbucketSet owned, int workers, int threads, VbucketSet canary, int canaryWorkers) {
        int[] laneOf = new int[VBuckets.COUNT];
        Arrays.fill(laneOf, -1);
        List<VbucketSet> shares = new ArrayList<>(owned.minus(canary).split(workers));
        if (canaryWorkers > 0) {
            shares.addAll(owned.and(canary).split(canaryWorkers));
        }
        for (int worker = 0; worker < shares.size(); worker++) {
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
