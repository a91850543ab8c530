package io.millrace.rebalance.topology;

import java.time.Duration;

/**
 * The settings of the cluster manager.
 *
 * @param auto whether a node that joins, leaves or dies starts a change automatically
 * @param leastMovement whether an automatic change moves as few vbuckets as possible, instead of planning contiguous runs
 * @param joinDelay how long to wait for further nodes after one has joined
 * @param failoverDelay how long to wait for a node whose registration expired; the manager does not wait for a node that
 *     shut down
 * @param nodeLease how long a registration lasts without a renewal
 * @param prepareTimeout how long nodes may take to prepare, and the master to write the token
 * @param stallTimeout how long a change may run without progress
 * @param retryDelay how long to wait before repeating a change that failed while all nodes were alive
 */
public record ManagerSettings(
        boolean auto,
        boolean leastMovement,
        Duration joinDelay,
        Duration failoverDelay,
        Duration nodeLease,
        Duration prepareTimeout,
        Duration stallTimeout,
        Duration retryDelay) {

    public static final ManagerSettings DEFAULT = new ManagerSettings(
            true,
            false,
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofSeconds(10),
            Duration.ofSeconds(120),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30));
}
