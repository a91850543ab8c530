package io.millrace.rebalance;

/** What a node has to do next about the vbuckets of one function. */
public sealed interface OwnershipStep {

    /** It has what it should have. */
    record Settled() implements OwnershipStep {}

    /** These are for others: stop their streams, finish what is in flight, save the checkpoints, release. */
    record GiveUp(VbucketSet vbuckets) implements OwnershipStep {}

    /** These should be here: ask for them until whoever has them gave them up or lost its lease. */
    record TakeOver(VbucketSet vbuckets) implements OwnershipStep {}

    /** Decides. Nobody takes more before it has given up what it must, so that nodes never wait for each other. */
    static OwnershipStep next(Layout layout, Plan plan, String node, VbucketSet owned) {
        VbucketSet planned = plan.of(node);
        VbucketSet surplus = layout.frozen() ? VbucketSet.NONE : owned.minus(planned);
        if (!surplus.isEmpty()) {
            return new GiveUp(surplus);
        }
        VbucketSet missing = planned.minus(owned);
        return missing.isEmpty() ? new Settled() : new TakeOver(missing);
    }

    /** Returns how many vbuckets must still come or go until a node has what it should have. */
    static int unsettled(Layout layout, Plan plan, String node, VbucketSet owned) {
        return moving(layout, plan, node, owned).size();
    }

    /** Returns the vbuckets that must still come or go until a node has what it should have. */
    static VbucketSet moving(Layout layout, Plan plan, String node, VbucketSet owned) {
        VbucketSet planned = plan.of(node);
        VbucketSet missing = planned.minus(owned);
        return layout.frozen() ? missing : missing.plus(owned.minus(planned));
    }
}
