package io.millrace.rebalance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes plans. Every node computes the same plan from the same input; shares differ by at most one vbucket. Without nodes
 * the plan is empty.
 *
 * @param vbuckets the number of vbuckets
 */
public record Planner(int vbuckets) {

    /** Plans for the 1,024 vbuckets of every bucket. */
    public static final Planner DEFAULT = new Planner(1024);

    /** Assigns each node, in the order of ids, one contiguous run of vbuckets (seed document 000, figure 5). */
    public Plan contiguous(Collection<String> nodes) {
        TreeMap<String, VbucketSet> shares = new TreeMap<>();
        if (!nodes.isEmpty()) {
            List<VbucketSet> parts = all().split(new TreeSet<>(nodes).size()); // a node that is named twice counts once
            for (String node : new TreeSet<>(nodes)) {
                shares.put(node, parts.get(shares.size()));
            }
        }
        return new Plan(shares);
    }

    /** Moves as few vbuckets as equal shares allow. Shares are in general not contiguous. */
    public Plan leastMovement(Map<String, VbucketSet> before, Collection<String> nodes) {
        TreeMap<String, VbucketSet> shares = new TreeMap<>();
        VbucketSet taken = VbucketSet.NONE;
        Map<String, Integer> quotas = quotas(before, nodes);
        for (String node : new TreeSet<>(nodes)) {
            VbucketSet had =
                    before.getOrDefault(node, VbucketSet.NONE).and(all()).minus(taken);
            VbucketSet kept = VbucketSet.of(had.stream().limit(quotas.getOrDefault(node, 0)));
            shares.put(node, kept);
            taken = taken.plus(kept);
        }
        Deque<Integer> free =
                new ArrayDeque<>(all().minus(taken).stream().boxed().toList());
        for (Map.Entry<String, VbucketSet> share : shares.entrySet()) {
            List<Integer> gained = new ArrayList<>();
            for (int missing = quotas.getOrDefault(share.getKey(), 0)
                            - share.getValue().size();
                    missing > 0;
                    missing--) {
                gained.add(free.removeFirst());
            }
            share.setValue(share.getValue().plus(VbucketSet.of(gained.stream().mapToInt(Integer::intValue))));
        }
        return new Plan(shares);
    }

    /** Nodes with the most vbuckets keep one more. */
    private Map<String, Integer> quotas(Map<String, VbucketSet> before, Collection<String> nodes) {
        List<String> byShare = new ArrayList<>(new TreeSet<>(nodes));
        byShare.sort(Comparator.comparingInt((String node) ->
                        before.getOrDefault(node, VbucketSet.NONE).size())
                .reversed());
        Map<String, Integer> quotas = new HashMap<>();
        for (String node : byShare) {
            int index = quotas.size();
            quotas.put(node, vbuckets / byShare.size() + (index < vbuckets % byShare.size() ? 1 : 0));
        }
        return quotas;
    }

    private VbucketSet all() {
        return VbucketSet.range(0, vbuckets - 1);
    }
}
