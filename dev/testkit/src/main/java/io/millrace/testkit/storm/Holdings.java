package io.millrace.testkit.storm;

import io.millrace.access.ClusterSecret;
import io.millrace.access.IdentityTokens;
import io.millrace.access.ServiceIdentity;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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

    /** Short requests of the services to each other, such as a watch, are under way at any time; a storm holds megabytes. */
    private static final long MORE_BYTES_UNDER_WAY = 16L << 10;

    /** As which service this asks. */
    private static final String NAME = "holdings";

    private static final Duration LOOK = Duration.ofMillis(250);

    private final Map<String, Long> pids;
    private final Map<String, URI> services;
    private final ServiceIdentity identity;
    private final Map<String, Long> poolsBefore;
    private final Map<String, Footprint> before;

    private Holdings(Map<String, Long> pids, Map<String, URI> services, ServiceIdentity identity)
            throws IOException, InterruptedException {
        this.pids = new TreeMap<>(pids);
        this.services = new TreeMap<>(services);
        this.identity = identity;
        this.poolsBefore = pools();
        this.before = footprints();
    }

    /**
     * Notes what a suite holds now.
     *
     * @param pids its processes by name; services that share one have the same number
     * @param services the base URLs of its services by name
     * @param clusterSecret the file of the secret by which they know each other: not all answer to users
     */
    public static Holdings of(Map<String, Long> pids, Map<String, URI> services, Path clusterSecret)
            throws IOException, InterruptedException {
        ClusterSecret secret = ClusterSecret.parse(Files.readString(clusterSecret));
        Clock clock = Clock.systemUTC();
        return new Holdings(pids, services, new ServiceIdentity(new IdentityTokens(secret, clock), NAME, clock));
    }

    /** Waits until the suite holds no more than it did; returns what it still holds beyond that, in words. */
    public List<String> excess(Duration patience) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        List<String> more = more();
        while (!more.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK.toNanos());
            more = more();
        }
        return more;
    }

    /** Each look at the heap is a collection, so that it waits for the end of what is under way. */
    private List<String> more() throws IOException, InterruptedException {
        List<String> underWay = underWay();
        return underWay.isEmpty() ? moreHeap() : underWay;
    }

    private List<String> moreHeap() throws IOException, InterruptedException {
        List<String> more = new ArrayList<>();
        footprints().forEach((process, now) -> {
            long bytes = now.heapBytes() - footprint(process).heapBytes();
            if (bytes > MORE_HEAP_BYTES) {
                more.add("The heap of %s has %,d bytes more after a collection".formatted(process, bytes));
            }
        });
        return more;
    }

    private List<String> underWay() throws IOException, InterruptedException {
        List<String> more = new ArrayList<>();
        pools().forEach((pool, now) -> {
            long then = poolsBefore.getOrDefault(pool, 0L);
            if (now > then + (pool.contains("_bytes_") ? MORE_BYTES_UNDER_WAY : 0)) {
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
                HttpResponse<String> metrics = http.send(
                        HttpRequest.newBuilder(service.getValue().resolve("/actuator/prometheus"))
                                .header(IdentityTokens.HEADER, identity.get())
                                .build(),
                        BodyHandlers.ofString());
                if (metrics.statusCode() != HttpURLConnection.HTTP_OK) {
                    throw new IOException("%s answered the question for its metrics with status %d"
                            .formatted(service.getKey(), metrics.statusCode()));
                }
                metrics.body()
                        .lines()
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
