package io.millrace.timers.firing;

/**
 * Where the scanner of a partition is.
 *
 * @param epoch of the owner
 * @param position the due moment of the latest timer that was claimed, in milliseconds; 0 before the first
 * @param claimedAt when timers were last claimed, in milliseconds; 0 before the first
 * @param firing timers handed out whose callbacks have not ended
 */
public record PartitionScan(int partition, long epoch, long position, long claimedAt, int firing) {}
