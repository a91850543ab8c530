package io.millrace.eventing.http.monitoring;

import io.millrace.eventing.runtime.RuntimeStats;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The statistics of one function on several nodes, as {@link StatsView} shows them, made into those of the cluster. */
final class StatsSum {

    /** What is counted, and so can be added. */
    private static final List<String> COUNTED = List.of(
            "execution_stats",
            "failure_stats",
            "event_processing_stats",
            "lcb_exception_stats",
            "events_remaining",
            "latency_stats",
            "queue_latency_stats",
            "curl_latency_stats");

    /** What each worker has one of, by its name. */
    private static final List<String> BY_WORKER =
            List.of("internal_vb_distribution_stats", "worker_pids", "worker_runtimes");

    private static final List<String> HISTOGRAMS =
            List.of("latency_stats", "queue_latency_stats", "curl_latency_stats");

    private static final String LAG = "lag_seconds";

    private StatsSum() {}

    /**
     * Adds another node's statistics with {@link StatsView.Detail#FULL} to the same of this one. A worker whose name is
     * taken gets its node's name behind it.
     */
    public static void add(ObjectNode sum, String node, JsonNode other) {
        for (String block : COUNTED) {
            if (sum.get(block) instanceof ObjectNode counted) {
                add(counted, other.path(block));
            }
        }
        for (String block : BY_WORKER) {
            if (sum.get(block) instanceof ObjectNode workers) {
                other.path(block)
                        .properties()
                        .forEach(worker -> workers.set(
                                workers.has(worker.getKey()) ? worker.getKey() + "@" + node : worker.getKey(),
                                worker.getValue()));
            }
        }
        sum.put(LAG, Math.max(sum.path(LAG).asLong(), other.path(LAG).asLong()));
        ObjectNode percentiles = sum.putObject("latency_percentile_stats");
        Map<Long, Long> bins = bins(sum.path("latency_stats"));
        StatNames.PERCENTILES.forEach(
                percent -> percentiles.put(percent.toString(), RuntimeStats.percentile(bins, percent)));
    }

    private static void add(ObjectNode sum, JsonNode other) {
        other.properties().forEach(entry -> {
            JsonNode mine = sum.get(entry.getKey());
            if (entry.getValue() instanceof ObjectNode inner && mine instanceof ObjectNode nested) {
                add(nested, inner);
            } else if (entry.getValue().isNumber() && (mine == null || mine.isNumber())) {
                sum.put(
                        entry.getKey(),
                        (mine == null ? 0 : mine.asLong()) + entry.getValue().asLong());
            }
        });
    }

    private static Map<Long, Long> bins(JsonNode histogram) {
        Map<Long, Long> bins = new TreeMap<>();
        histogram
                .properties()
                .forEach(bin ->
                        bins.put(Long.valueOf(bin.getKey()), bin.getValue().asLong()));
        return bins;
    }

    /** Leaves out the histograms, which are needed only to add. */
    public static void withoutHistograms(ObjectNode stats) {
        HISTOGRAMS.forEach(stats::remove);
    }
}
