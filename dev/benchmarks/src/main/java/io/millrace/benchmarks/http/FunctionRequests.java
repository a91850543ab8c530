package io.millrace.benchmarks.http;

import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.NodeProgram;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures calls of {@code OnRequest} with 1 KB of JSON over 32 kept connections through the gateway, which alone takes logins for
 * them, and, in the same run, at a bare HTTP server in Node.js that does the same.
 */
public final class FunctionRequests {

    private static final String CODE = """
            function OnRequest(request) {
                let total = 0;
                for (const item of request.body.items) {
                    total += item.price * item.quantity;
                }
                return {body: {total}};
            }
            """;

    private static final String NAME = "totals";
    private static final double RATE_GOAL = 0.5;
    private static final double MILLIS_GOAL = 10;

    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final Duration PACED_ROUND = Duration.ofSeconds(10);

    private final Duration warmUp;
    /** The most rounds until the services have settled. */
    private final int settling;

    private final int rounds;
    private final PrintStream out;

    /** @param shortRun whether the run is to take less time */
    public FunctionRequests(boolean shortRun, PrintStream out) {
        this.warmUp = Duration.ofSeconds(shortRun ? 5 : 15);
        this.settling = shortRun ? 2 : 20;
        this.rounds = shortRun ? 2 : 4;
        this.out = out;
    }

    /** Returns whether the goals were reached. */
    public boolean run() throws Exception {
        if (!NodeProgram.installed()) {
            out.println("requests: node is not installed, so there is nothing to compare with");
            return false;
        }
        try (Suite suite = FreshSuite.start();
                RedisConnection redis = RedisConnection.open(suite.redisUrl());
                NodeProgram node = NodeProgram.start(List.of("server.mjs"))) {
            var store = redis.documentStore();
            for (String bucket : List.of("orders", "handled", "eventing")) {
                store.catalog().createBucket(bucket, 1).join();
            }
            FunctionsClient functions = new FunctionsClient(suite.url(Service.GATEWAY), suite.login());
            functions.create(NAME, CODE, "orders", "handled", "eventing");
            functions.deploy(NAME);
            return measure(suite, redis.pid(), node, Integer.parseInt(node.line()));
        }
    }

    private boolean measure(Suite suite, long redisPid, NodeProgram node, int nodePort) throws IOException {
        String login = suite.login().authorization();
        URI bareServer = URI.create("http://127.0.0.1:" + nodePort);
        URI millrace = suite.url(Service.GATEWAY);
        Road bare = road("POST, bare Node server", bareServer, login);
        Road gateway = road("POST, gateway", millrace, login);
        Road started = road("POST, gateway just started", millrace, login);
        bare.warm(warmUp);
        started.warm(warmUp);
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("redis", redisPid);
        ours.put("ui-gateway", suite.pid(Service.GATEWAY));
        ours.put("eventing-service", suite.pid(Service.EVENTING));
        ProcessHandle.of(suite.pid(Service.EVENTING)).stream()
                .flatMap(ProcessHandle::children)
                .forEach(worker -> ours.put("worker " + worker.pid(), worker.pid()));
        Map<String, Long> processes = new LinkedHashMap<>();
        processes.put("client", ProcessHandle.current().pid());
        processes.put("node", node.pid());
        processes.putAll(ours);
        for (int i = 0; i < rounds; i++) {
            started.measure(ROUND, processes);
        }
        Duration settled = gateway.settle(ours, settling);
        for (int i = 0; i < rounds; i++) {
            bare.measure(ROUND, processes);
            gateway.measure(ROUND, processes);
        }
        Road bareAtHalf = road("bare Node, half load", bareServer, login);
        Road atHalf = road("gateway, half load", millrace, login);
        for (int i = 0; i < rounds; i++) {
            bareAtHalf.measurePaced(bare.perSecond() / 2, PACED_ROUND, processes);
            atHalf.measurePaced(gateway.perSecond() / 2, PACED_ROUND, processes);
        }
        List.of(bare, started, gateway, bareAtHalf, atHalf).forEach(road -> road.print(out));
        out.printf("compilers at work for another %d s before the last line%n", settled.toSeconds());
        double nodeMicros = bare.cpuMicros("node");
        out.printf(
                "requests per CPU-second: %,.0f by Node, %,.0f by Millrace, %,.0f without its gateway%n",
                1e6 / nodeMicros,
                1e6 / gateway.cpuMicros(ours.keySet()),
                1e6 / (gateway.cpuMicros(ours.keySet()) - gateway.cpuMicros("ui-gateway")));
        return new Goals(out)
                .atLeast("requests per CPU-second / Node's", nodeMicros / gateway.cpuMicros(ours.keySet()), RATE_GOAL)
                .atMost("p99 at half load in ms", atHalf.p99Millis(), MILLIS_GOAL)
                .met();
    }

    private static Road road(String name, URI server, String login) {
        Wire call = Wire.http(
                "POST", server.resolve("/fn/" + NAME + "/total"), login, SampleDocuments.body(1, 1_700_000_000_000L));
        return new Road(name, new InetSocketAddress(server.getHost(), server.getPort()), List.of(call));
    }
}
