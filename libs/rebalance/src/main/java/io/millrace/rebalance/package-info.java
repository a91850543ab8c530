/**
 * Which eventing node has which vbucket of a function, and how that changes (seed document 000, rebalance): the plan, the
 * messages of topology changes, and what the cluster manager, a node and an owner have to do next. Everything here is a
 * decision over values; nothing reads a clock, waits or connects. metakv-service and eventing-service depend on it; it
 * depends on Jackson's data binding for the form of its messages and on nothing else.
 */
@NullMarked
package io.millrace.rebalance;

import org.jspecify.annotations.NullMarked;
