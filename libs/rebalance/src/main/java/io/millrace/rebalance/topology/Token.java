package io.millrace.rebalance.topology;

/**
 * The rebalance token: the master writes it to make every node start (seed document 000, start phase).
 *
 * @param id the id of the change
 * @param master the node that wrote it
 */
public record Token(String id, String master) {}
