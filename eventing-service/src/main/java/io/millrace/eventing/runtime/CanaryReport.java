package io.millrace.eventing.runtime;

import java.util.Map;
import java.util.TreeMap;

/**
 * What the two versions of a function have done on this node since one of them became its canary.
 *
 * @param stable the version that handles the other vbuckets
 */
public record CanaryReport(Side stable, Side canary) {

    /**
     * What one version has done.
     *
     * @param handled changes and timers whose handler has ended, well or not
     * @param failed how many of them have failed
     * @param latencyMicros run times of the handler: count by the upper bound of the bin in microseconds, ascending
     * @param effects counts of writes, deletions, timers, requests and statements; a kind without any may be absent
     */
    public record Side(long handled, long failed, Map<Long, Long> latencyMicros, Map<String, Long> effects) {

        public static final Side NONE = new Side(0, 0, Map.of(), Map.of());

        /** Returns the share of failures, from 0 to 1. */
        public double failureRate() {
            return handled == 0 ? 0 : (double) failed / handled;
        }

        /** Returns the mean run time in microseconds, as exact as the bins are; 0 when nothing ran. */
        public long meanMicros() {
            long calls =
                    latencyMicros.values().stream().mapToLong(Long::longValue).sum();
            long sum = latencyMicros.entrySet().stream()
                    .mapToLong(bin -> bin.getKey() * bin.getValue())
                    .sum();
            return calls == 0 ? 0 : sum / calls;
        }

        /** Returns the run time in microseconds that 99 % of the calls did not exceed. */
        public long p99Micros() {
            return RuntimeStats.percentile(latencyMicros, 99);
        }

        /** Returns what happened after an earlier moment. */
        public Side minus(Side earlier) {
            return new Side(
                    handled - earlier.handled,
                    failed - earlier.failed,
                    minus(latencyMicros, earlier.latencyMicros),
                    minus(effects, earlier.effects));
        }

        private static <K extends Comparable<K>> Map<K, Long> minus(Map<K, Long> counts, Map<K, Long> earlier) {
            Map<K, Long> left = new TreeMap<>();
            counts.forEach((key, count) -> {
                long more = count - earlier.getOrDefault(key, 0L);
                if (more > 0) {
                    left.put(key, more);
                }
            });
            return left;
        }
    }
}
