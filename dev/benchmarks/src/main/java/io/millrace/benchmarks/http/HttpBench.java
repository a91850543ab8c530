package io.millrace.benchmarks.http;

import io.millrace.benchmarks.suite.BenchArguments;
import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.Recording;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures reads and writes of one document of 1 KB over HTTP with 32 kept connections: through the gateway, at the service,
 * and, in the same run, at plain Redis and at servers of the same HTTP library that do nothing else.
 */
public final class HttpBench {

    /**
     * The size of a run.
     *
     * @param warmUp of each road before anything counts
     * @param rounds how often the roads take turns
     * @param turn the length of one of them
     * @param bulk documents of the bulk load
     */
    record Scale(Duration warmUp, int rounds, Duration turn, int bulk) {
        static final Scale FULL = new Scale(Duration.ofSeconds(8), 4, Duration.ofSeconds(3), 200_000);
        static final Scale SHORT = new Scale(Duration.ofSeconds(3), 2, Duration.ofSeconds(1), 50_000);
    }

    private static final int DOCUMENT_BYTES = 1024;
    private static final int WRITTEN_APART = 32;
    private static final String BUCKET = "http";
    private static final String DOCS = "/api/v1/buckets/" + BUCKET + "/docs/";
    private static final String REDIS = "redis";
    private static final String SUBDOC = "subdoc-service";
    private static final String GATEWAY = "ui-gateway";

    private static final byte[] NOTHING = {};

    private final Scale scale;

    /** Where the flight recordings of the last rounds are kept, null for none. */
    private final @Nullable Path recording;

    private final PrintStream out;
    private final byte[] document = document();

    private HttpBench(Scale scale, @Nullable Path recording, PrintStream out) {
        this.scale = scale;
        this.recording = recording;
        this.out = out;
    }

    /** Reads the arguments behind the name of the benchmark. */
    public static HttpBench of(List<String> args, PrintStream out) {
        BenchArguments given = BenchArguments.of(args);
        return new HttpBench(given.shortRun() ? Scale.SHORT : Scale.FULL, given.recording(), out);
    }

    public void run() throws Exception {
        try (Suite suite = FreshSuite.start();
                RedisConnection redis = RedisConnection.open(suite.redisUrl())) {
            var store = redis.documentStore();
            store.catalog().createBucket(BUCKET, 1).join();
            store.write(Write.upsert(new DocumentKey(Keyspace.of(BUCKET), "d"), document))
                    .join();
            measure(suite, redis.pid());
        }
    }

    private void measure(Suite suite, long redisPid) throws Exception {
        URI gateway = suite.url(Service.GATEWAY);
        URI subdoc = suite.url(Service.SUBDOC);
        String login = suite.login().authorization();
        Road read = road("GET, gateway", gateway, List.of(get(gateway, login)));
        try (BareProcess bare = BareProcess.start(Integer.toString(DOCUMENT_BYTES));
                BareProcess pipe = BareProcess.start("http://" + subdoc.getAuthority())) {
            Road responds = new Road("GET, bare server", bare.address(), List.of(get(subdoc, login)));
            Road plain = redis("SET, plain Redis", suite, Wire.redis(bytes("SET"), bytes("plain"), document));
            plain.warm(scale.warmUp()); // so that the client is not what the first seconds measure
            // before anything else has used these servers
            double bareFirst = responds.warm(Duration.ofSeconds(1)).perSecond();
            double first = read.warm(Duration.ofSeconds(1)).perSecond();
            Map<String, Long> processes = new LinkedHashMap<>();
            processes.put("client", ProcessHandle.current().pid());
            processes.put(REDIS, redisPid);
            processes.put(SUBDOC, suite.pid(Service.SUBDOC));
            processes.put(GATEWAY, suite.pid(Service.GATEWAY));
            processes.put("bare server", bare.pid());
            processes.put("bare pipe", pipe.pid());
            Road direct = road("GET, subdoc-service", subdoc, List.of(get(subdoc, login)));
            Road write = road("PUT, subdoc-service", subdoc, List.of(put(subdoc, login, "d")));
            Road piped = new Road("GET, bare pipe", pipe.address(), List.of(get(subdoc, login)));
            List<Road> roads = List.of(
                    plain,
                    redis("GET, plain Redis", suite, Wire.redis(bytes("GET"), bytes("plain"))),
                    responds,
                    direct,
                    piped,
                    read,
                    write,
                    road("PUT, " + WRITTEN_APART + " documents", subdoc, puts(subdoc, login)),
                    road("PUT, gateway", gateway, List.of(put(gateway, login, "d"))));
            rounds(roads, processes);
            BulkRoad load = new BulkRoad(gateway.resolve("/api/v1/buckets/" + BUCKET + "/bulk"), login, document);
            load.run("bulk load, first", scale.bulk() / 4, processes, out);
            double bulk = load.run("bulk load, gateway", scale.bulk(), processes, out);
            new Goals(out)
                    .atLeast("GET through the gateway / direct", read.perSecond() / direct.perSecond(), 0.6)
                    .atMost("CPU of the gateway in us", read.cpuMicros(GATEWAY), 60)
                    .atLeast("GET direct per second", direct.perSecond(), 18_000)
                    .atLeast("PUT direct per second", write.perSecond(), 12_000)
                    .atLeast("first second after ready / warm", first / read.perSecond(), 1 / 3.0)
                    .atLeast("bulk load, documents per second", bulk, 25_000);
            out.printf(
                    "for comparison: the bare pipe has %.2f of the direct rate and takes %.0f us%n",
                    piped.perSecond() / direct.perSecond(), piped.cpuMicros("bare pipe"));
            out.printf(
                    "for comparison: the bare server has %.2f of its warm rate in its first second%n",
                    bareFirst / responds.perSecond());
        }
    }

    private void rounds(List<Road> roads, Map<String, Long> processes) throws Exception {
        for (Road road : roads) {
            road.warm(scale.warmUp());
        }
        Recording recorded = recording == null ? null : Recording.start(recording, processes);
        for (int i = 0; i < scale.rounds(); i++) {
            for (Road road : roads) {
                road.measure(scale.turn(), processes);
            }
        }
        for (Road road : roads) {
            road.print(out);
        }
        if (recorded != null) {
            recorded.keep().forEach((process, file) -> out.printf("recording of %s: %s%n", process, file));
        }
    }

    private static Road road(String name, URI server, List<Wire> wires) {
        return new Road(name, new InetSocketAddress(server.getHost(), server.getPort()), wires);
    }

    private static Road redis(String name, Suite suite, Wire wire) {
        return road(name, URI.create(suite.redisUrl()), List.of(wire));
    }

    private static Wire get(URI server, String login) {
        return Wire.http("GET", server.resolve(DOCS + "d"), login, NOTHING);
    }

    private Wire put(URI server, String login, String id) {
        return Wire.http("PUT", server.resolve(DOCS + id), login, document);
    }

    private List<Wire> puts(URI server, String login) {
        return IntStream.range(0, WRITTEN_APART)
                .mapToObj(i -> put(server, login, "d-" + i))
                .toList();
    }

    private static byte[] document() {
        StringBuilder json = new StringBuilder("{\"type\":\"order\",\"items\":[");
        String item = "{\"sku\":\"SKU-4711\",\"name\":\"mill wheel of oak\",\"price\":25.25,\"quantity\":3}";
        while (json.length() + item.length() < DOCUMENT_BYTES - 64) {
            json.append(item).append(',');
        }
        json.append(item).append("],\"note\":\"");
        return bytes(json + "n".repeat(DOCUMENT_BYTES - json.length() - 2) + "\"}");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
