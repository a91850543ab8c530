package io.millrace.streams.store;

/**
 * The result of pruning.
 *
 * @param deleted how many events were removed
 * @param deferred how many events were to be removed and remain, because their batch has others that must remain
 * @param lowMark index of the first remaining event
 */
public record PruneResult(long deleted, long deferred, long lowMark) {}
