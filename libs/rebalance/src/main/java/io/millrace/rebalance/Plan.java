package io.millrace.rebalance;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The share of vbuckets of each node. Every vbucket is in exactly one share.
 *
 * @param shares the shares by node id, ascending
 */
public record Plan(SortedMap<String, VbucketSet> shares) {

    public Plan {
        shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
    }

    /** Returns the share of a node; empty for a node that is not in the plan. */
    public VbucketSet of(String node) {
        return shares.getOrDefault(node, VbucketSet.NONE);
    }

    /** Returns the shares of the workers of a node. The number of workers may differ between functions. */
    public List<VbucketSet> workers(String node, int count) {
        return of(node).split(count);
    }

    /** Returns how many vbuckets have a different node than in an earlier plan. */
    public int movedSince(Map<String, VbucketSet> before) {
        int stayed = 0;
        for (Map.Entry<String, VbucketSet> share : shares.entrySet()) {
            stayed += share.getValue()
                    .and(before.getOrDefault(share.getKey(), VbucketSet.NONE))
                    .size();
        }
        return shares.values().stream().mapToInt(VbucketSet::size).sum() - stayed;
    }
}
