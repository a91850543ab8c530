package io.millrace.eventing.http.monitoring;

import io.millrace.eventing.runtime.RuntimeStats;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Statistics of functions in Couchbase's JSON. */
final class StatsView {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final RuntimeStats NOTHING = new RuntimeStats(
            Map.of(), Map.of(), Map.of(), 0, 0, Map.of(), Map.of(), Map.of(), RuntimeStats.TimerState.NONE, List.of());

    private final InstantSource clock;

    public StatsView(InstantSource clock) {
        this.clock = clock;
    }

    /** How much is shown. */
    public enum Detail {
        BASIC,
        FULL,
        DEBUG
    }

    /**
     * The function that statistics are about.
     *
     * @param bucket of its function scope, {@code *} for none
     * @param scope likewise
     * @param boundary where it started: {@code everything} or {@code from_now}
     */
    public record Subject(String name, long functionId, String bucket, String scope, String boundary) {}

    /** Returns the statistics of a function that does not run here. */
    public ObjectNode idle(Subject subject, Detail detail) {
        return show(subject, NOTHING, detail);
    }

    public ObjectNode show(Subject subject, RuntimeStats stats, Detail detail) {
        ObjectNode json = NODES.objectNode();
        json.put("function_name", subject.name());
        json.put("function_id", subject.functionId());
        json.putObject("function_scope").put("bucket_name", subject.bucket()).put("scope_name", subject.scope());
        json.set("execution_stats", execution(stats));
        json.set("failure_stats", block(StatNames.FAILURE, stats.failures()));
        json.set("event_processing_stats", block(StatNames.PROCESSING, stats.processing()));
        json.set("lcb_exception_stats", histogram(stats.numbered(StatNames.EXCEPTIONS_BY_CODE)));
        json.put("dcp_feed_boundary", subject.boundary());
        json.putObject("events_remaining").put("dcp_backlog", stats.backlog());
        json.put("lag_seconds", stats.lagSeconds());
        json.put("lcb_creds_request_counter", 0).put("gocb_creds_request_counter", 0);
        ObjectNode distribution = json.putObject("internal_vb_distribution_stats");
        ObjectNode pids = json.putObject("worker_pids");
        ObjectNode runtimes = json.putObject("worker_runtimes");
        ObjectNode apart = json.putObject("workers_apart");
        for (RuntimeStats.Worker worker : stats.workers()) {
            distribution.put(worker.name(), vbuckets(worker));
            pids.put(worker.name(), worker.pid());
            runtimes.put(worker.name(), worker.runtime());
            if (!worker.apart().isEmpty()) {
                apart.put(worker.name(), worker.apart());
            }
        }
        ObjectNode percentiles = json.putObject("latency_percentile_stats");
        StatNames.PERCENTILES.forEach(percent -> percentiles.put(percent.toString(), stats.latencyPercentile(percent)));
        if (detail != Detail.BASIC) {
            json.set("latency_stats", histogram(stats.latencyMicros()));
            json.set("queue_latency_stats", histogram(stats.queueMicros()));
            json.set("curl_latency_stats", histogram(stats.numbered(StatNames.CURL_LATENCY)));
        }
        if (detail == Detail.DEBUG) {
            json.putObject("function_process_stats");
            json.putObject("function_checkpoint_stats");
            json.putObject("vb_stats");
        }
        return json;
    }

    private ObjectNode execution(RuntimeStats stats) {
        ObjectNode json = block(StatNames.EXECUTION, stats.execution());
        ObjectNode curl = json.putObject("curl");
        StatNames.CURL.forEach(method ->
                curl.put(method, stats.execution().getOrDefault(StatNames.CURL_CALLS + method, 0L)));
        json.put("timestamp", clock.instant().toString());
        return json;
    }

    /** Returns the named counters, then whatever else was counted. */
    private static ObjectNode block(List<String> names, Map<String, Long> counted) {
        ObjectNode json = NODES.objectNode();
        names.forEach(name -> json.put(name, counted.getOrDefault(name, 0L)));
        new TreeMap<>(counted).forEach((name, count) -> {
            if (name.indexOf('.') < 0) { // what has a dot is shown as a block of its own
                json.put(name, count);
            }
        });
        return json;
    }

    private static ObjectNode histogram(Map<Long, Long> bins) {
        ObjectNode json = NODES.objectNode();
        new TreeMap<>(bins).forEach((bound, count) -> json.put(bound.toString(), count));
        return json;
    }

    private static String vbuckets(RuntimeStats.Worker worker) {
        return worker.vbuckets().stream().boxed().toList().toString();
    }
}
