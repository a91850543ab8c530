package io.millrace.rebalance;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The nodes among which vbuckets are shared; every node computes the same plan from it.
 *
 * @param id of the change that led to it
 * @param nodes who shares the vbuckets
 * @param members who is part of the cluster; more than {@code nodes} after a change that was stopped
 * @param frozen after a change that was stopped: nobody gives up what it has, and what nobody has is taken over as
 *     planned
 * @param previous the shares that the plan keeps as far as it can; empty for a contiguous plan
 */
public record Layout(
        String id,
        SortedSet<String> nodes,
        SortedSet<String> members,
        boolean frozen,
        SortedMap<String, VbucketSet> previous) {

    public Layout {
        nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
        previous = Collections.unmodifiableSortedMap(new TreeMap<>(previous));
    }

    /** Returns the layout of nodes that share the vbuckets in one run each. */
    public static Layout contiguous(String id, Collection<String> nodes) {
        return new Layout(id, new TreeSet<>(nodes), new TreeSet<>(nodes), false, new TreeMap<>());
    }

    /** Returns who should have what. */
    public Plan plan(Planner planner) {
        return previous.isEmpty() ? planner.contiguous(nodes) : planner.leastMovement(previous, nodes);
    }

    Layout withMembers(Collection<String> more) {
        TreeSet<String> sum = new TreeSet<>(members);
        sum.addAll(more);
        return new Layout(id, nodes, sum, frozen, previous);
    }

    Layout frozen(Collection<String> remaining) {
        return new Layout(id, nodes, new TreeSet<>(remaining), true, previous);
    }
}
