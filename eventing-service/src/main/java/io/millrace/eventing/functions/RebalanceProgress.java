package io.millrace.eventing.functions;

import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.producer.FunctionRuntime;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.OwnershipStep;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much of the layout is true on this node: what each deployed function owns here and should own. */
public final class RebalanceProgress {

    /**
     * One function on this node.
     *
     * @param owned what it has here
     * @param planned what it should have here
     * @param unsettled how many vbuckets must still come or go
     */
    public record Share(VbucketSet owned, VbucketSet planned, int unsettled) {}

    private final FunctionStore store;
    private final FunctionRuntime runtime;
    private final ClusterNode cluster;

    RebalanceProgress(FunctionStore store, FunctionRuntime runtime, ClusterNode cluster) {
        this.store = store;
        this.runtime = runtime;
        this.cluster = cluster;
        cluster.measure(this::of);
        cluster.preparedWhen(this::workersReady);
        cluster.awayWhile(runtime::lapsed);
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

    /** Returns how much of a layout is true on this node, 0 to 1. */
    private double of(Layout layout) {
        SortedMap<String, Share> shares = shares(layout);
        long unsettled = shares.values().stream().mapToLong(Share::unsettled).sum();
        long all = Planner.DEFAULT.vbuckets() * (long) Math.max(1, shares.size());
        return 1 - (double) unsettled / all;
    }
}
