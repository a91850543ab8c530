package io.millrace.rebalance;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The nodes that share the vbuckets; every node computes the same plan from it.
 *
 * @param id the id of the change that led to it
 * @param nodes the nodes that share the vbuckets
 * @param members the members of the cluster; after a change that was stopped, more than {@code nodes}
 * @param frozen whether a change was stopped: nodes keep the vbuckets that they own, and take over only planned vbuckets
 *     without owner
 * @param previous the shares that the plan preserves as far as possible; empty for a contiguous plan
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

    /** Returns a layout in which each node has one contiguous run of vbuckets. */
    public static Layout contiguous(String id, Collection<String> nodes) {
        return new Layout(id, new TreeSet<>(nodes), new TreeSet<>(nodes), false, new TreeMap<>());
    }

    /** Returns the plan for this layout. */
    public Plan plan(Planner planner) {
        return previous.isEmpty() ? planner.contiguous(nodes) : planner.leastMovement(previous, nodes);
    }

    public Layout withMembers(Collection<String> more) {
        TreeSet<String> sum = new TreeSet<>(members);
        sum.addAll(more);
        return new Layout(id, nodes, sum, frozen, previous);
    }

    public Layout frozen(Collection<String> remaining) {
        return new Layout(id, nodes, new TreeSet<>(remaining), true, previous);
    }
}
