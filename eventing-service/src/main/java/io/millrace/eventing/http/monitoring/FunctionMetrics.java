package io.millrace.eventing.http.monitoring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.RuntimeStats;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Metrics of the functions that run on this node, tagged with the function's name. Counters and gauges are Micrometer's
 * and show the last {@link #sample}; histograms are passed to Prometheus with the bins that workers count.
 */
final class FunctionMetrics implements MultiCollector {

    /** Upper bounds of the histogram bins, in microseconds. */
    private static final long[] BOUNDS = {
        100,
        200,
        500,
        1_000,
        2_000,
        5_000,
        10_000,
        20_000,
        50_000,
        100_000,
        200_000,
        500_000,
        1_000_000,
        2_000_000,
        5_000_000,
        10_000_000,
        30_000_000,
        60_000_000
    };

    private static final double MICROS_PER_SECOND = 1e6;

    /** Of so many samples a function at rest is looked at for one. */
    private static final int RESTING_TURN = 5;

    private final FunctionRuntime runtime;
    private final MeterRegistry registry;
    private final Map<String, RuntimeStats> latest = new ConcurrentHashMap<>();
    private final Map<String, List<Meter>> meters = new ConcurrentHashMap<>();

    /** The functions whose statistics had not changed when they were looked at last. */
    private final Set<String> resting = new HashSet<>();

    private int samples;

    public FunctionMetrics(FunctionRuntime runtime, MeterRegistry registry) {
        this.runtime = runtime;
        this.registry = registry;
    }

    /** Requests the counters of every function from the runtime; completes in the background. */
    public synchronized void sample() {
        Set<String> running = runtime.running();
        samples++;
        for (String function : running) {
            if (latest.containsKey(function) && isAtRest(function)) {
                continue; // the backlog of a function is a question to Redis
            }
            runtime.stats(function)
                    .orTimeout(1, TimeUnit.SECONDS)
                    .exceptionally(failure -> Optional.empty())
                    .thenAccept(stats -> stats.ifPresent(counted -> take(function, counted)));
        }
        latest.keySet().stream()
                .filter(function -> !running.contains(function))
                .toList()
                .forEach(this::forget);
    }

    private boolean isAtRest(String function) {
        if (resting.contains(function) && Math.floorMod(samples + function.hashCode(), RESTING_TURN) != 0) {
            return true;
        }
        boolean rests = !runtime.statsChanged(function);
        if (rests) {
            resting.add(function);
        } else {
            resting.remove(function);
        }
        return rests;
    }

    private void take(String function, RuntimeStats stats) {
        latest.put(function, stats);
        meters.computeIfAbsent(function, this::register);
    }

    private void forget(String function) {
        latest.remove(function);
        resting.remove(function);
        List<Meter> gone = meters.remove(function);
        if (gone != null) {
            gone.forEach(registry::remove);
        }
    }

    private List<Meter> register(String function) {
        List<Meter> added = new ArrayList<>();
        StatNames.EXECUTION.stream()
                .filter(name -> !name.startsWith("agg_queue"))
                .forEach(name -> added.add(counter(function, name, RuntimeStats::execution)));
        StatNames.FAILURE.forEach(name -> added.add(counter(function, name, RuntimeStats::failures)));
        StatNames.PROCESSING.forEach(name -> added.add(counter(function, name, RuntimeStats::processing)));
        added.add(gauge(function, "dcp_backlog", RuntimeStats::backlog, "Changes that are not handled yet"));
        added.add(gauge(
                function, "lag_seconds", RuntimeStats::lagSeconds, "Age of the oldest unhandled change in seconds"));
        added.add(gauge(
                function,
                "agg_queue_size",
                execution("agg_queue_size"),
                "Events that wait for a worker or for its outcome"));
        added.add(gauge(
                function, "agg_queue_memory", execution("agg_queue_memory"), "Bytes of events that wait for a worker"));
        added.add(
                gauge(function, "timer_pending", stats -> stats.timers().pending(), "Timers that wait, on all nodes"));
        added.add(gauge(
                function, "timer_firing", stats -> stats.timers().firing(), "Timers whose callbacks are running"));
        added.add(gauge(
                function,
                "timer_partitions_stopped",
                stats -> stats.timers().stopped(),
                "Partitions with a timer that is overdue by ten seconds"));
        added.add(gauge(
                function,
                "workers",
                stats -> stats.workers().stream()
                        .filter(worker -> worker.pid() != 0)
                        .count(),
                "Running worker processes"));
        return added;
    }

    private Meter counter(String function, String name, Function<RuntimeStats, Map<String, Long>> block) {
        return FunctionCounter.builder("eventing." + name.replaceFirst("_(counter|count)$", ""), latest, all -> {
                    RuntimeStats stats = all.get(function);
                    return stats == null ? 0 : block.apply(stats).getOrDefault(name, 0L);
                })
                .tag("function", function)
                .register(registry);
    }

    private static ToLongFunction<RuntimeStats> execution(String name) {
        return stats -> stats.execution().getOrDefault(name, 0L);
    }

    private Meter gauge(String function, String name, ToLongFunction<RuntimeStats> value, String description) {
        return Gauge.builder("eventing." + name, latest, all -> {
                    RuntimeStats stats = all.get(function);
                    return stats == null ? 0 : value.applyAsLong(stats);
                })
                .description(description)
                .tag("function", function)
                .register(registry);
    }

    /** Returns the histograms of all functions. */
    @Override
    public MetricSnapshots collect() {
        return MetricSnapshots.of(
                histogram("eventing_handler_latency_seconds", "Run time of handlers", RuntimeStats::latencyMicros),
                histogram(
                        "eventing_queue_latency_seconds",
                        "Time between reading an event from the feed and sending it to the worker",
                        RuntimeStats::queueMicros),
                histogram(
                        "eventing_curl_latency_seconds",
                        "Duration of curl calls",
                        stats -> stats.numbered(StatNames.CURL_LATENCY)),
                histogram("eventing_timer_lag_seconds", "Delay of fired timers", RuntimeStats::timerLagMicros));
    }

    private HistogramSnapshot histogram(String name, String help, Function<RuntimeStats, Map<Long, Long>> bins) {
        HistogramSnapshot.Builder snapshot =
                HistogramSnapshot.builder().name(name).help(help);
        new TreeMap<>(latest).forEach((function, stats) -> snapshot.dataPoint(dataPoint(function, bins.apply(stats))));
        return snapshot.build();
    }

    private static HistogramDataPointSnapshot dataPoint(String function, Map<Long, Long> bins) {
        long[] counts = new long[BOUNDS.length + 1];
        double sumMicros = 0;
        for (Map.Entry<Long, Long> bin : bins.entrySet()) {
            int slot = 0;
            while (slot < BOUNDS.length && bin.getKey() > BOUNDS[slot]) {
                slot++;
            }
            counts[slot] += bin.getValue();
            sumMicros += (double) bin.getKey() * bin.getValue();
        }
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (int slot = 0; slot < counts.length; slot++) {
            double bound = slot < BOUNDS.length ? BOUNDS[slot] / MICROS_PER_SECOND : Double.POSITIVE_INFINITY;
            buckets.bucket(bound, counts[slot]);
        }
        return HistogramDataPointSnapshot.builder()
                .labels(Labels.of("function", function))
                .classicHistogramBuckets(buckets.build())
                .sum(sumMicros / MICROS_PER_SECOND)
                .build();
    }

    /** Returns the series that dashboards for Couchbase read, in Prometheus's text format. */
    public String dashboard() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(latest).forEach((function, stats) -> {
            line(text, "dcp_backlog", function, stats.backlog());
            for (String name : StatNames.DASHBOARD) {
                long value = stats.execution().getOrDefault(name, 0L)
                        + stats.failures().getOrDefault(name, 0L)
                        + stats.processing().getOrDefault(name, 0L);
                line(text, name, function, value);
            }
        });
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String function, long value) {
        text.append("eventing_%s{functionName=\"%s\"} %d\n".formatted(name, function, value));
    }
}
