package io.millrace.rebalance.ownership;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.VbucketSet;

/** The next step of a node to own the planned vbuckets of a function. */
public sealed interface OwnershipStep {

    /** The node owns exactly its share. */
    record Settled() implements OwnershipStep {}

    /** Other nodes should own these: stop their streams, finish events in flight, save the checkpoints, release. */
    record GiveUp(VbucketSet vbuckets) implements OwnershipStep {}

    /** This node should own these: request them until the current owners release them or lose their leases. */
    record TakeOver(VbucketSet vbuckets) implements OwnershipStep {}

    /** Returns the next step. A node gives up surplus vbuckets before it takes over more, so that nodes never wait in a cycle. */
    static OwnershipStep next(Layout layout, Plan plan, String node, VbucketSet owned) {
        VbucketSet planned = plan.of(node);
        VbucketSet surplus = layout.frozen() ? VbucketSet.NONE : owned.minus(planned);
        if (!surplus.isEmpty()) {
            return new GiveUp(surplus);
        }
        VbucketSet missing = planned.minus(owned);
        return missing.isEmpty() ? new Settled() : new TakeOver(missing);
    }

    /** Returns how many vbuckets the node must still take over or give up. */
    static int unsettled(Layout layout, Plan plan, String node, VbucketSet owned) {
        return moving(layout, plan, node, owned).size();
    }

    /** Returns the vbuckets that the node must still take over or give up. */
    static VbucketSet moving(Layout layout, Plan plan, String node, VbucketSet owned) {
        VbucketSet planned = plan.of(node);
        VbucketSet missing = planned.minus(owned);
        return layout.frozen() ? missing : missing.plus(owned.minus(planned));
    }
}
