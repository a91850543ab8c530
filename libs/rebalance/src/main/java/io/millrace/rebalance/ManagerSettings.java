package io.millrace.rebalance;

import java.time.Duration;

/**
 * How the cluster manager behaves.
 *
 * @param auto whether nodes that come, leave or die start a change by themselves
 * @param leastMovement whether such a change moves as few vbuckets as it can, instead of giving each node one run
 * @param joinDelay how long the manager waits for further nodes after one came
 * @param failoverDelay how long it waits after a node's registration ran out, for the case that it comes back; a node that
 *     takes itself out is not waited for
 * @param nodeLease how long a registration runs that is not renewed
 * @param prepareTimeout how long nodes may take to prepare and the master to write the token
 * @param stallTimeout how long a change may go on without any progress
 * @param retryDelay how long the manager waits after a change that failed while all nodes were alive
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
            Duration.ofSeconds(2),
            Duration.ZERO,
            Duration.ofSeconds(10),
            Duration.ofSeconds(120),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30));
}
