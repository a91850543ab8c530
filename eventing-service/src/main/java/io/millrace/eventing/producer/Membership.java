package io.millrace.eventing.producer;

import io.millrace.rebalance.Layout;
import java.util.List;

/** Among which nodes vbuckets are shared, as this node knows it. */
@FunctionalInterface
public interface Membership {

    /** Returns the layout to follow; one without nodes before any is known. */
    Layout layout();

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
