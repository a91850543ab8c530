package io.millrace.rebalance;

/**
 * The rebalance token: written by the master, it tells every node to begin (seed document 000, start phase).
 *
 * @param id the same as that of the change
 * @param master the node that wrote it
 */
public record Token(String id, String master) {}
