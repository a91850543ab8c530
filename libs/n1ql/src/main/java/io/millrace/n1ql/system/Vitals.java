package io.millrace.n1ql.system;

import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.plan.operator.SystemTables.Entry;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The only row of {@code system:vitals}: figures of the process that answers, under the names of the original. */
public final class Vitals {

    private static final int WHOLE = 100;

    private Vitals() {}

    /**
     * @param node the name of the process
     * @param active how many requests are running
     */
    public static Entry of(String node, Instant now, int active, RequestTimes times) {
        Map<String, Value> fields = new LinkedHashMap<>();
        Duration uptime = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        fields.put("node", Value.of(node));
        fields.put("uptime", seconds(uptime));
        fields.put("local.time", Value.of(now.toString()));
        fields.put("cores", Value.of((long) Runtime.getRuntime().availableProcessors()));
        fields.put("total.threads", Value.of((long)
                ManagementFactory.getThreadMXBean().getThreadCount()));
        putCollections(fields, uptime);
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        fields.put("memory.usage", Value.of(heap.getUsed()));
        fields.put("memory.system", Value.of(heap.getCommitted()));
        putRequests(fields, active, times.summary());
        return new Entry(node, ObjectValue.of(fields));
    }

    private static void putCollections(Map<String, Value> fields, Duration uptime) {
        long count = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            count += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        fields.put("gc.num", Value.of(count));
        fields.put("gc.pause.time", milliseconds(Duration.ofMillis(millis)));
        fields.put("gc.pause.percent", Value.of(WHOLE * millis / Math.max(1, uptime.toMillis())));
    }

    private static void putRequests(Map<String, Value> fields, int active, RequestTimes.Summary times) {
        fields.put("request.completed.count", Value.of(times.ended()));
        fields.put("request.active.count", Value.of((long) active));
        fields.put("request_time.mean", milliseconds(times.mean()));
        fields.put("request_time.median", milliseconds(times.percentile(50)));
        for (int percent : new int[] {80, 95, 99}) {
            fields.put("request_time." + percent + "percentile", milliseconds(times.percentile(percent)));
        }
    }

    private static Value seconds(Duration time) {
        return Value.of(String.format(Locale.ROOT, "%.3fs", time.toMillis() / 1e3));
    }

    private static Value milliseconds(Duration time) {
        return Value.of(SystemTables.millis(time));
    }
}
