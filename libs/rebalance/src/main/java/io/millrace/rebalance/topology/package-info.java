/**
 * Topology changes: the cluster manager that leads them, the agent of a node that follows them, and their messages as
 * entries of MetaKV. For metakv-service and eventing-service.
 */
@NullMarked
package io.millrace.rebalance.topology;

import org.jspecify.annotations.NullMarked;
