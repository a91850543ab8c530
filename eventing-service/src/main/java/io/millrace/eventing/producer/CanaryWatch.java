package io.millrace.eventing.producer;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.metrics.Counters;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.eventing.runtime.CanaryReport;
import io.millrace.eventing.runtime.CanaryReport.Side;
import io.millrace.eventing.runtime.CanarySpec;
import io.millrace.eventing.runtime.FunctionSpec;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A canary on this node, with its counts and those of the other version when it began. */
final class CanaryWatch {

    private static final List<String> SUCCESSES =
            List.of("on_update_success", "on_delete_success", "on_event_success", "timer_callback_success");
    private static final List<String> FAILURES =
            List.of("on_update_failure", "on_delete_failure", "on_event_failure", "timer_callback_failure");
    private static final Map<String, String> EFFECTS = Map.of(
            "writes",
            "bucket_write_count",
            "deletions",
            "bucket_delete_count",
            "timers",
            "timer_create_counter",
            "statements",
            "statement_count");
    private static final String REQUESTS = "requests";
    private static final String REQUESTS_BY_METHOD = "curl.";

    private final CanarySpec canary;
    private final FunctionCounts counts;
    private final FunctionCounts stable;
    private final Side before;

    /** @param stable counts of the version that handles the other vbuckets */
    CanaryWatch(CanarySpec canary, FunctionCounts stable, FunctionLog log, InstantSource clock) {
        this.canary = canary;
        this.counts = FunctionCounts.start(log, clock);
        this.stable = stable;
        this.before = side(stable);
    }

    CanarySpec canary() {
        return canary;
    }

    /** Returns what its workers run. @param workers how many the function has; the canary has a share of them */
    FunctionSpec spec(int workers) {
        int share = Math.ceilDiv(workers * canary.vbuckets().size(), VBuckets.COUNT);
        return canary.spec().withWorkers(Math.max(1, share));
    }

    FunctionCounts counts() {
        return counts;
    }

    CanaryReport report() {
        return new CanaryReport(side(stable).minus(before), side(counts));
    }

    private static Side side(FunctionCounts counts) {
        Map<String, Long> execution = counts.counters().snapshot(Counters.Block.EXECUTION);
        long failed = sum(execution, FAILURES);
        return new Side(
                sum(execution, SUCCESSES) + failed,
                failed,
                counts.latencyMicros().snapshot(),
                effects(execution));
    }

    private static Map<String, Long> effects(Map<String, Long> execution) {
        Map<String, Long> effects = new TreeMap<>();
        EFFECTS.forEach((effect, name) -> effects.put(effect, execution.getOrDefault(name, 0L)));
        effects.put(
                REQUESTS,
                execution.entrySet().stream()
                        .filter(count -> count.getKey().startsWith(REQUESTS_BY_METHOD))
                        .mapToLong(Map.Entry::getValue)
                        .sum());
        return effects;
    }

    private static long sum(Map<String, Long> counts, List<String> names) {
        return names.stream().mapToLong(name -> counts.getOrDefault(name, 0L)).sum();
    }
}
