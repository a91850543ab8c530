package io.millrace.eventing.runtime;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.Planner;
import java.util.List;

/** Among which nodes vbuckets are shared, as this node knows it. */
@FunctionalInterface
public interface Membership {

    /** Returns the layout to follow; one without nodes before any is known. */
    Layout layout();

    /** Returns who should have what in a layout; whoever follows one knows its plan. */
    default Plan plan(Layout layout) {
        return layout.plan(Planner.DEFAULT);
    }

    /** Returns whether a change is going on after which this node is to have a share. */
    default boolean coming() {
        return false;
    }

    /** Returns the membership of a node that shares with nobody. */
    static Membership alone(String node) {
        Layout layout = Layout.contiguous("alone", List.of(node));
        return () -> layout;
    }
}
