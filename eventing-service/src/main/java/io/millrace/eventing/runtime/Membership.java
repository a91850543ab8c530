package io.millrace.eventing.runtime;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.Planner;
import java.util.List;

/** The nodes that share the vbuckets, as this node knows them. */
@FunctionalInterface
public interface Membership {

    /** Returns the layout to follow; before one is known, a layout without nodes. */
    Layout layout();

    /** Returns whether the layout to follow is known. */
    default boolean known() {
        return !layout().members().isEmpty();
    }

    /** Returns the plan of a layout. */
    default Plan plan(Layout layout) {
        return layout.plan(Planner.DEFAULT);
    }

    /** Returns whether a node is not the only one, so that others may claim what it loses. It need not be a member any more. */
    default boolean shared(String node) {
        return layout().members().stream().anyMatch(member -> !member.equals(node));
    }

    /** Returns whether this node will have a share after the topology change in progress. */
    default boolean coming() {
        return false;
    }

    /** Returns whether this node needs its processors for a share that it is getting, or has got lately. */
    default boolean settling() {
        return coming();
    }

    /** Returns the membership of a node that owns every vbucket. */
    static Membership alone(String node) {
        Layout layout = Layout.contiguous("alone", List.of(node));
        return () -> layout;
    }
}
