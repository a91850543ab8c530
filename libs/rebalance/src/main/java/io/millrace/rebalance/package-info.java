/**
 * The plan: which node should own which vbuckets of a function (seed document 000, rebalance). {@link
 * io.millrace.rebalance.topology} changes the set of nodes, {@link io.millrace.rebalance.ownership} moves the vbuckets.
 *
 * <p>Everything here is a decision over values; nothing reads a clock, waits or connects. metakv-service and
 * eventing-service depend on it; it depends only on Jackson's data binding, for the form of its messages.
 */
@NullMarked
package io.millrace.rebalance;

import org.jspecify.annotations.NullMarked;
