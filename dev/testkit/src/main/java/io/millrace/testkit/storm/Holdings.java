package io.millrace.testkit.storm;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * What the processes of a suite hold: memory, descriptors, and what is under way in their pools. A storm must leave no more of it
 * than there was before.
 */
public final class Holdings {

    /** Metrics that are 0 when nothing is under way. */
    private static final Set<String> POOLS = Set.of(
            "millrace_bytes_held", "millrace_bytes_waiting", "millrace_gateway_requests", "millrace_gateway_feeds");

    /** Connections that are kept for the next requests, until they have been idle for long. */
    private static final int MORE_DESCRIPTORS = 150;

    private static final long MORE_HEAP_BYTES = 64L << 20;
    private static final Duration LOOK = Duration.ofMillis(250);

    private final Map<String, Long> pids;
    private final Map<String, URI> services;
    private final String authorization;
    private final Map<String, Long> poolsBefore;
    private final Map<String, Footprint> before;

    private Holdings(Map<String, Long> pids, Map<String, URI> services, String authorization)
            throws IOException, InterruptedException {
        this.pids = new TreeMap<>(pids);
        this.services = new TreeMap<>(services);
        this.authorization = authorization;
        this.poolsBefore = pools();
        this.before = footprints();
    }

    /**
     * Notes what a suite holds now.
     *
     * @param pids its processes by name; services that share one have the same number
     * @param services the base URLs of its services by name
     * @param authorization the value of the header of that name, of an administrator
     */
    public static Holdings of(Map<String, Long> pids, Map<String, URI> services, String authorization)
            throws IOException, InterruptedException {
        return new Holdings(pids, services, authorization);
    }

    /** Waits until the suite holds no more than it did; returns what it still holds beyond that, in words. */
    public List<String> excess(Duration patience) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        List<String> more = underWay();
        while (!more.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK.toNanos());
            more = underWay();
        }
        List<String> all = new ArrayList<>(more);
        footprints().forEach((process, now) -> {
            long bytes = now.heapBytes() - footprint(process).heapBytes();
            if (bytes > MORE_HEAP_BYTES) {
                all.add("The heap of %s has %,d bytes more after a collection".formatted(process, bytes));
            }
        });
        return all;
    }

    private List<String> underWay() throws IOException, InterruptedException {
        List<String> more = new ArrayList<>();
        pools().forEach((pool, now) -> {
            long then = poolsBefore.getOrDefault(pool, 0L);
            if (now > then) {
                more.add("%s is %,d, and was %,d".formatted(pool, now, then));
            }
        });
        for (String process : before.keySet()) {
            int now = Footprint.descriptors(pid(process));
            int then = footprint(process).descriptors();
            if (now > then + MORE_DESCRIPTORS) {
                more.add("%s has %,d open files and connections, and had %,d".formatted(process, now, then));
            }
        }
        return more;
    }

    /** Returns the heap and the descriptors of each process when they were noted. */
    public Map<String, Footprint> before() {
        return before;
    }

    /** Collects the garbage of all processes, and returns the heap and the descriptors of each. */
    public Map<String, Footprint> footprints() throws IOException, InterruptedException {
        Map<String, Footprint> all = new TreeMap<>();
        Set<Long> known = new HashSet<>();
        for (Map.Entry<String, Long> process : pids.entrySet()) {
            if (known.add(process.getValue())) {
                all.put(process.getKey(), Footprint.of(process.getValue()));
            }
        }
        return all;
    }

    private long pid(String process) {
        return pids.getOrDefault(process, 0L);
    }

    private Footprint footprint(String process) {
        return before.getOrDefault(process, new Footprint(0, 0));
    }

    private Map<String, Long> pools() throws IOException, InterruptedException {
        Map<String, Long> pools = new TreeMap<>();
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (Map.Entry<String, URI> service : services.entrySet()) {
                String metrics = http.send(
                                HttpRequest.newBuilder(service.getValue().resolve("/actuator/prometheus"))
                                        .header("Authorization", authorization)
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
                metrics.lines()
                        .filter(line -> POOLS.contains(line.replaceFirst("[{ ].*", "")))
                        .forEach(line -> pools.merge(
                                service.getKey() + ' ' + line.replaceFirst("[{ ].*", ""),
                                (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)),
                                Long::sum));
            }
        }
        return pools;
    }
}
