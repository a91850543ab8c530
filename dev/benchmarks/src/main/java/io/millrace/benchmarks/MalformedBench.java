package io.millrace.benchmarks;

import io.millrace.benchmarks.kv.KvSuite;
import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.launcher.suite.Service;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MalformedFrames;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.testkit.MalformedRequests;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketException;
import java.net.URI;
import java.util.Map;

/**
 * Sends malformed requests to every face of a running suite: HTTP requests made from the OpenAPI documents, the CouchDB API,
 * statements and paths of functions, then frames of the binary protocol. Every HTTP request must be answered, none with 5xx or
 * a name of a class; a round of frames is one connection, and the server must answer or close each and keep serving others.
 */
final class MalformedBench {

    private static final String BUCKET = "malformed_frames";
    private static final String FUNCTION = "malformed";
    private static final String CODE = "function OnRequest(request) { return {status: 200, body: request}; }";
    private static final int FRAMES = 200;
    private static final int PART = 5_000;

    private final long seed;
    private final int count;
    private final PrintStream out;

    /**
     * @param seed of all requests; the same one makes the same requests
     * @param count the number of HTTP requests, and of frames
     */
    MalformedBench(long seed, int count, PrintStream out) {
        this.seed = seed;
        this.count = count;
        this.out = out;
    }

    /** Returns whether all answers were right. */
    boolean run() throws IOException, InterruptedException {
        try (KvSuite suite = KvSuite.start()) {
            suite.createBucket(BUCKET);
            suite.createBucket(FUNCTION);
            suite.createBucket("eventing");
            Map<Service, Long> before = suite.services();
            boolean right = requests(suite);
            frames(suite);
            Map<Service, Long> after = suite.services();
            after.forEach((service, pid) ->
                    out.printf("%s: %,d MiB resident%n", service.moduleName(), ProcessUsage.residentMiB(pid)));
            if (!after.equals(before)) {
                out.println("A SERVICE ENDED AND WAS STARTED AGAIN");
            }
            return right && after.equals(before);
        }
    }

    private boolean requests(KvSuite suite) throws IOException, InterruptedException {
        var functions = new FunctionsClient(suite.urls().getOrDefault("ui-gateway", URI.create("")), suite.login());
        functions.create(FUNCTION, CODE, FUNCTION, FUNCTION, "eventing");
        functions.deploy(FUNCTION);
        MalformedRequests requests = MalformedRequests.to(suite.urls(), suite.login());
        out.printf("seed %d, %d operations%n", seed, requests.routes());
        int wrong = 0;
        for (int sent = 0; sent < count; sent += PART) {
            MalformedRequests.Report report = requests.run(seed + sent / PART, Math.min(PART, count - sent));
            report.problems().forEach(problem -> out.println(problem + "\n"));
            wrong += report.problems().size();
            out.printf(
                    "requests %,d to %,d: answers by status %s, slowest %,d ms (%s), %d wrong%n",
                    sent,
                    Math.min(sent + PART, count),
                    report.statuses(),
                    report.slowestMillis(),
                    report.slowest().lines().findFirst().orElse(""),
                    report.problems().size());
        }
        return wrong == 0;
    }

    private void frames(KvSuite suite) throws IOException {
        long answers = 0;
        int rounds = (count + FRAMES - 1) / FRAMES;
        try (MemcachedClient bystander = suite.open(BUCKET)) {
            for (int round = 0; round < rounds; round++) {
                answers += round(suite, seed * rounds + round);
                if (bystander.call(Call.of(Opcode.NOOP)).status() != Status.SUCCESS) {
                    throw new IOException(
                            "The server stopped serving another client after round " + (seed * rounds + round));
                }
            }
        }
        out.printf("%,d rounds of %d frames, %,d answers%n", rounds, FRAMES, answers);
    }

    private static int round(KvSuite suite, long seed) throws IOException {
        MalformedFrames frames = new MalformedFrames(seed);
        int answers = 0;
        try (MemcachedClient client = frames.oneIn(4) ? suite.connect() : suite.open(BUCKET, frames.features())) {
            for (int i = 0; i < FRAMES; i++) {
                client.sendRaw(frames.next());
            }
            client.endSending();
            while (true) {
                client.receive();
                answers++;
            }
        } catch (EOFException | SocketException closed) {
            return answers;
        } catch (IOException e) {
            throw new IOException("The server neither answered nor closed the connection: round " + seed, e);
        }
    }
}
