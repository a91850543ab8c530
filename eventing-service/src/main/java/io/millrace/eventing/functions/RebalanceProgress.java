package io.millrace.eventing.functions;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.ownership.OwnershipStep;
import io.millrace.rebalance.topology.ClusterView;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The progress of a topology change on this node: what each deployed function owns here and what it should own. */
public final class RebalanceProgress {

    /**
     * One function on this node.
     *
     * @param owned the vbuckets that it owns here
     * @param planned the vbuckets that it should own here
     * @param unsettled how many vbuckets must still be claimed or given up
     */
    public record Share(VbucketSet owned, VbucketSet planned, int unsettled) {

        /** Returns the planned vbuckets that it does not own yet. */
        public VbucketSet missing() {
            return planned.minus(owned);
        }

        /** Returns how many it must still give up; after a change that was stopped, surplus vbuckets may stay. */
        public int surplus() {
            return unsettled - missing().size();
        }
    }

    private final FunctionStore store;
    private final FunctionRuntime runtime;
    private final ClusterNode cluster;

    /** The layout that is being carried out, and the highest number of unsettled vbuckets seen for it. */
    private String measured = "";

    private long unsettledAtFirst;

    RebalanceProgress(FunctionStore store, FunctionRuntime runtime, ClusterNode cluster) {
        this.store = store;
        this.runtime = runtime;
        this.cluster = cluster;
        cluster.measure(this::of);
        cluster.waitsFor(this::moving);
        cluster.preparedWhen(this::workersReady);
        cluster.awayWhile(runtime::lapsed);
        cluster.joinsWhen(runtime::ready);
    }

    /** Returns the share of each deployed function. */
    public SortedMap<String, Share> shares() {
        return shares(cluster.layout());
    }

    private boolean workersReady() {
        Set<String> warm = runtime.warm();
        return store.ready()
                && store.all().stream()
                        .filter(function -> function.state() instanceof Deployed)
                        .allMatch(function -> warm.contains(function.name().toString()));
    }

    private SortedMap<String, Share> shares(Layout layout) {
        SortedMap<String, Share> shares = new TreeMap<>();
        Plan plan = cluster.plan(layout);
        Map<String, VbucketSet> owned = runtime.owned();
        for (StoredFunction function : store.all()) {
            if (function.state() instanceof Deployed) {
                String name = function.name().toString();
                VbucketSet here = owned.getOrDefault(name, VbucketSet.NONE);
                shares.put(
                        name,
                        new Share(
                                here,
                                plan.of(cluster.id()),
                                OwnershipStep.unsettled(layout, plan, cluster.id(), here)));
            }
        }
        return shares;
    }

    /** Returns how much of a layout has been carried out on this node, 0 to 1. Called by one thread. */
    double of(Layout layout) {
        long unsettled =
                shares(layout).values().stream().mapToLong(Share::unsettled).sum();
        if (!measured.equals(layout.id())) {
            measured = layout.id();
            unsettledAtFirst = 0;
        }
        unsettledAtFirst = Math.max(unsettledAtFirst, unsettled);
        return unsettled == 0 ? 1 : 1 - (double) unsettled / unsettledAtFirst;
    }

    /** Returns by function the vbuckets that must still be claimed or given up here for a layout. */
    SortedMap<String, VbucketSet> moving(Layout layout) {
        SortedMap<String, VbucketSet> moving = new TreeMap<>();
        Plan plan = cluster.plan(layout);
        shares(layout)
                .forEach((function, share) ->
                        moving.put(function, OwnershipStep.moving(layout, plan, cluster.id(), share.owned())));
        return moving;
    }

    /** Returns the cluster as this node knows it; fails with ERR_GET_REBALANCE_STATUS while it is unknown. */
    public ClusterView cluster() {
        return known(cluster, Duration.ZERO);
    }

    /** Waits until the cluster is known, at most for {@code patience}. */
    static ClusterView known(ClusterNode cluster, Duration patience) {
        if (!cluster.known(patience)) {
            throw FunctionsException.of(
                    ErrorCode.ERR_GET_REBALANCE_STATUS,
                    "The topology has not been read from MetaKV yet. Check that metakv-service is running, then try again.");
        }
        return cluster.view();
    }
}
