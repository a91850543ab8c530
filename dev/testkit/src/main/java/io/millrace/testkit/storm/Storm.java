package io.millrace.testkit.storm;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Clients that overload a suite in different ways at the same time, and a well-behaved one that sends a request every 40 ms and
 * must not notice much. All come through the gateway; each kind has addresses of its own where the machine has more than one.
 */
public final class Storm {

    private static final String BUCKET = "storm";
    private static final String QUIET = "storm_quiet";
    private static final String LARGE = document("large");
    private static final int UNAVAILABLE = 503;
    private static final int LARGE_BYTES = 20 * 1024 * 1024 - 1024;
    private static final int DOCUMENTS = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PACE = Duration.ofMillis(40);
    private static final Duration AFTER_A_REFUSAL = Duration.ofMillis(100);
    private static final String JSON = "application/json";
    private static final String HEAVY =
            "{\"statement\":\"SELECT s.g, COUNT(*) AS n, ARRAY_AGG(s.t) AS ts FROM storm AS s"
                    + " GROUP BY s.g ORDER BY n DESC, s.g\"}";
    private static final String LIGHT = "{\"statement\":\"SELECT s.n FROM storm AS s USE KEYS 'good'\"}";

    /** Of the well-behaved client, in their order. */
    private static final List<String> REQUESTS = List.of("write", "read", "query", "listing");

    private static final int WATCHERS = 1;
    private static final int WRITERS = 40;
    private static final int QUERIES = 41;
    private static final int NON_READERS = 42;
    private static final int HALF_SENT = 43;
    private static final int GOOD = 44;

    private final StormTarget target;
    private final StormScale scale;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Map<String, Map<String, Integer>> met = new ConcurrentHashMap<>();

    private Storm(StormTarget target, StormScale scale) {
        this.target = target;
        this.scale = scale;
    }

    /** @param authorization the value of the header of that name, of an administrator */
    public static Storm on(URI gateway, String authorization, StormScale scale) {
        return new Storm(new StormTarget(gateway, authorization), scale);
    }

    private static String document(String id) {
        return "/api/v1/buckets/" + BUCKET + "/docs/" + id;
    }

    /** Writes what the clients will ask for; the storm itself comes with {@link #run}. */
    public void prepare() throws IOException {
        try (StormClient client = new StormClient(target, null)) {
            must(client, "PUT", "/api/v1/buckets/" + BUCKET, JSON, new byte[0]);
            must(client, "PUT", "/api/v1/buckets/" + QUIET, JSON, new byte[0]);
            byte[] large = new byte[LARGE_BYTES];
            Arrays.fill(large, (byte) ' ');
            large[0] = '1';
            must(client, "PUT", LARGE, JSON, large);
            must(client, "PUT", "/api/v1/buckets/" + QUIET + "/docs/first", JSON, StormClient.text("1"));
            must(client, "PUT", document("good"), JSON, StormClient.text("{\"n\":1}"));
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < DOCUMENTS; i++) {
                lines.append("{\"id\":\"q%d\",\"value\":{\"g\":%d,\"t\":\"%s\"}}\n"
                        .formatted(i, i % 97, "text of some length, ".repeat(10)));
            }
            must(
                    client,
                    "POST",
                    "/api/v1/buckets/" + BUCKET + "/bulk",
                    "application/x-ndjson",
                    lines.toString().getBytes(StandardCharsets.US_ASCII));
            must(
                    client,
                    "POST",
                    "/query/service",
                    JSON,
                    StormClient.text("{\"statement\":\"CREATE PRIMARY INDEX IF NOT EXISTS ON storm\"}"));
        }
    }

    /** A service that is busy answers 503, and a client that behaves well comes again: how busy the machine is, the storm does not decide. */
    private static void must(StormClient client, String method, String path, String type, byte[] body)
            throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        int status = client.call(method, path, type, body);
        while (status == UNAVAILABLE && System.nanoTime() < end) {
            LockSupport.parkNanos(AFTER_A_REFUSAL.toNanos());
            status = client.call(method, path, type, body);
        }
        if (status / 100 != 2) {
            throw new IOException(method + ' ' + path + " was answered with status " + status);
        }
    }

    /** Runs the storm for its duration. */
    public StormReport run() throws IOException, InterruptedException {
        List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());
        List<Long> millis = Collections.synchronizedList(new ArrayList<>());
        try (Crowd watchers = new Crowd(target, WATCHERS, scale.watchers(), true, this::watch);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            await(() -> watchers.met("status 200") >= scale.watchers(), () -> watchers.met() + " watchers");
            try (Crowd nonReaders = new Crowd(target, NON_READERS, scale.nonReaders(), false, this::readLarge);
                    Crowd halfSent = new Crowd(target, HALF_SENT, scale.halfSent(), true, this::half)) {
                for (int i = 0; i < scale.writers(); i++) {
                    int number = i;
                    threads.submit(() -> write(number));
                }
                for (int i = 0; i < scale.queries(); i++) {
                    int number = i;
                    threads.submit(() -> query(number));
                }
                behaveWell(statuses, millis);
                over.set(true);
                met.put("non-readers", nonReaders.met());
                met.put("half-sent requests", halfSent.met());
            } finally {
                over.set(true);
            }
            met.put("watchers", watchers.met());
        }
        return StormReport.of(statuses, millis, met);
    }

    /** From the beginning: with the first change the feed is known to be open. */
    private byte[] watch(int number) {
        return target.request(
                "GET", "/couch/" + QUIET + "/_changes?feed=continuous&since=0&heartbeat=10000", "", new byte[0]);
    }

    private byte[] readLarge(int number) {
        return target.request("GET", LARGE, "", new byte[0]);
    }

    /** Half of them stop in the header, half in the body. */
    private byte[] half(int number) {
        String head = target.head("PUT", document("half" + number));
        return StormClient.text(
                number % 2 == 0
                        ? head + "X-Half: "
                        : head + "Content-Type: " + JSON + "\r\nContent-Length: 1000\r\n\r\n{\"half\":");
    }

    private void write(int number) {
        repeat(
                "writers",
                WRITERS,
                number,
                count -> "PUT",
                count -> document("w" + number + "-" + count % 100),
                StormClient.text("{\"text\":\"" + "x".repeat(1000) + "\"}"));
    }

    private void query(int number) {
        repeat("queries", QUERIES, number, count -> "POST", count -> "/query/service", StormClient.text(HEAVY));
    }

    private interface Part {
        String of(int count);
    }

    private void repeat(String kind, int group, int number, Part method, Part path, byte[] body) {
        try (StormClient client = new StormClient(target, target.client(group, 1 + number % 8))) {
            for (int count = 0; !over.get(); count++) {
                int status = client.call(method.of(count), path.of(count), JSON, body);
                met.computeIfAbsent(kind, missing -> Collections.synchronizedMap(new TreeMap<>()))
                        .merge("status " + status, 1, Integer::sum);
                if (status / 100 != 2) {
                    LockSupport.parkNanos(AFTER_A_REFUSAL.toNanos());
                }
            }
        }
    }

    private void behaveWell(List<Integer> statuses, List<Long> millis) {
        long end = System.nanoTime() + scale.duration().toNanos();
        Map<String, Integer> slowest = new TreeMap<>();
        met.put("slowest requests of the well-behaved client, in ms", slowest);
        try (StormClient client = new StormClient(target, target.client(GOOD, 1))) {
            for (int count = 0; System.nanoTime() < end; count++) {
                long begun = System.nanoTime();
                statuses.add(request(client, count));
                long took = System.nanoTime() - begun;
                millis.add(took / 1_000_000);
                slowest.merge(REQUESTS.get(count % REQUESTS.size()), (int) (took / 1_000_000), Math::max);
                LockSupport.parkNanos(PACE.toNanos() - took);
            }
        }
    }

    private static int request(StormClient client, int count) {
        return switch (count % REQUESTS.size()) {
            case 0 -> client.call("PUT", document("good"), JSON, StormClient.text("{\"n\":" + count + "}"));
            case 1 -> client.call("GET", document("good"), "", new byte[0]);
            case 2 -> client.call("POST", "/query/service", JSON, StormClient.text(LIGHT));
            default -> client.call("GET", "/couch/" + BUCKET + "/_all_docs?limit=5", "", new byte[0]);
        };
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition, Supplier<String> what) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IOException("The storm could not begin: " + what.get());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
