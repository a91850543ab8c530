package io.millrace.timers.firing;

/**
 * What a scanner has done since it was made.
 *
 * @param fired timers handed to the sink, repetitions included
 * @param stale timers that were skipped because they were not worth firing any more
 * @param retried failures after which a timer is fired again
 * @param buried timers that became dead letters
 * @param firing timers handed out whose callbacks have not ended
 */
record ScanStats(long fired, long stale, long retried, long buried, int firing) {}
