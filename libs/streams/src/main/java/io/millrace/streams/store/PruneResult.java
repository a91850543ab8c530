package io.millrace.streams.store;

/**
 * What pruning did.
 *
 * @param deleted how many events went
 * @param deferred how many stay although they may go, because their batch has others that may not
 * @param lowMark index of the first event that is left
 */
public record PruneResult(long deleted, long deferred, long lowMark) {}
