package io.millrace.eventing.runtime;

import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The statistics of one running function on this node. The names of the counters are those of Couchbase; every counter
 * is present from the start.
 *
 * @param execution {@code execution_stats}: outcomes of invocations, sizes of queues
 * @param failures {@code failure_stats}
 * @param processing {@code event_processing_stats}: what was sent to workers, what was suppressed
 * @param backlog {@code dcp_backlog}: unhandled changes, read or not; of the unread changes of a shard this node counts
 *     a share in proportion to its vbuckets
 * @param lagSeconds the age of the oldest unhandled change, by the clock of its writer
 * @param latencyMicros run times of handlers: count by the upper bound of the bin in microseconds, ascending
 * @param queueMicros how long events waited between being read from the feed and being sent to a worker, likewise
 * @param timerLagMicros delays between due times and firing of timers, likewise
 * @param timers the function's timers
 * @param workers one entry per worker, in order
 */
public record RuntimeStats(
        Map<String, Long> execution,
        Map<String, Long> failures,
        Map<String, Long> processing,
        long backlog,
        long lagSeconds,
        Map<Long, Long> latencyMicros,
        Map<Long, Long> queueMicros,
        Map<Long, Long> timerLagMicros,
        TimerState timers,
        List<Worker> workers) {

    /**
     * The timers of a function.
     *
     * @param pending how many wait, on all nodes
     * @param stopped how many partitions of this node have a timer that is overdue by ten seconds
     * @param partitions the scan positions of this node's partitions
     */
    public record TimerState(long pending, int stopped, List<PartitionScan> partitions) {

        public static final TimerState NONE = new TimerState(0, 0, List.of());

        /** Returns the number of timers whose callbacks have started and not ended. */
        public long firing() {
            return partitions.stream().mapToInt(PartitionScan::firing).sum();
        }
    }

    /**
     * A worker.
     *
     * @param name {@code worker_<function>_<number>}
     * @param pid the id of its process, which it may share with workers of other functions; 0 while there is none
     * @param runtime how it runs handlers: {@code optimized} or {@code interpreted} with the reason; "" while unknown
     * @param apart why it has a process of its own although its function may share one; "" when it has not
     * @param vbuckets what it owns
     */
    public record Worker(String name, long pid, String runtime, String apart, VbucketSet vbuckets) {}

    /**
     * Returns the counters whose names end with a number: counts by that number, ascending.
     *
     * @param prefix the name before the number
     */
    public SortedMap<Long, Long> numbered(String prefix) {
        SortedMap<Long, Long> found = new TreeMap<>();
        for (Map<String, Long> block : List.of(execution, failures, processing)) {
            block.forEach((name, count) -> {
                if (name.startsWith(prefix)) {
                    found.merge(Long.valueOf(name.substring(prefix.length())), count, Long::sum);
                }
            });
        }
        return found;
    }

    /** Returns the handler run time in microseconds that {@code percent} of the invocations did not exceed, or 0. */
    public long latencyPercentile(int percent) {
        return percentile(latencyMicros, percent);
    }

    /**
     * Returns the upper bound of the bin that contains the percentile, or 0 when nothing was counted.
     *
     * @param bins count by the upper bound of the bin, ascending
     */
    public static long percentile(Map<Long, Long> bins, int percent) {
        long total = bins.values().stream().mapToLong(Long::longValue).sum();
        long wanted = (total * percent + 99) / 100;
        long seen = 0;
        for (Map.Entry<Long, Long> bin : bins.entrySet()) {
            seen += bin.getValue();
            if (seen >= wanted && seen > 0) {
                return bin.getKey();
            }
        }
        return 0;
    }
}
