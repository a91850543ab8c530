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
 * Makes plans. The same question has the same answer on every node; shares differ by one vbucket at most. A question
 * without nodes has an empty plan.
 *
 * @param vbuckets how many there are
 */
public record Planner(int vbuckets) {

    /** Plans for the 1,024 vbuckets of every bucket. */
    public static final Planner DEFAULT = new Planner(1024);

    /** Gives each node, in the order of their ids, one run of vbuckets (seed document 000, figure 5). */
    public Plan contiguous(Collection<String> nodes) {
        TreeMap<String, VbucketSet> shares = new TreeMap<>();
        if (!nodes.isEmpty()) {
            List<VbucketSet> parts = all().split(new TreeSet<>(nodes).size()); // a node that is named twice is one node
            for (String node : new TreeSet<>(nodes)) {
                shares.put(node, parts.get(shares.size()));
            }
        }
        return new Plan(shares);
    }

    /** Moves as few vbuckets as equal shares allow. Shares are not contiguous in general. */
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

    /** Those who have most keep one more. */
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
