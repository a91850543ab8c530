package io.millrace.benchmarks;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures one function, from the write of a document to the write of the handler, in one run of the whole suite: plain SET
 * for comparison, mutations at full speed, latency at a moderate rate, and a draining backlog with the memory of every
 * process.
 */
final class EventingBench {

    /**
     * The size of a run.
     *
     * @param live mutations written as fast as possible while the function runs
     * @param rate mutations per second of the latency measurement
     * @param seconds its length
     * @param backlog mutations that wait when the function is deployed
     */
    record Scale(int live, int rate, int seconds, int backlog) {
        public static final Scale FULL = new Scale(300_000, 2_000, 20, 1_000_000);
    }

    private static final String HANDLER = """
            function OnUpdate(doc, meta) {
                doc.startedAt = Date.now();
                doc.total = 0;
                for (var item of doc.items) {
                    doc.total += item.price * item.quantity;
                }
                handled[meta.id] = doc;
            }
            """;

    private final Scale scale;
    private final PrintStream out;

    EventingBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    void run() throws Exception {
        try (BenchSuite suite = BenchSuite.start()) {
            suite.createBucket("orders");
            suite.createBucket("handled");
            suite.createBucket("eventing");
            setYardstick(suite);
            suite.deploy("bench", HANDLER, "orders", "handled", "eventing");
            out.println("worker runtime: " + suite.workerRuntime("bench"));
            warmUp(suite);
            liveThroughput(suite);
            latency(suite);
            suite.undeploy("bench");
            drain(suite);
        }
    }

    private void setYardstick(BenchSuite suite) throws Exception {
        int count = scale.live();
        long began = System.nanoTime();
        Map<String, Duration> before = suite.cpu();
        suite.plainSets(count);
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf("%nplain pipelined SET, %,d documents of %,d bytes%n", count, SampleDocuments.body(1, 0).length);
        out.printf("  %,.0f SET/s%n", count / seconds);
        printCpu(before, suite.cpu(), count);
    }

    private void warmUp(BenchSuite suite) throws Exception {
        int count = scale.live() / 3;
        suite.write("orders", 0, count);
        suite.awaitHandled("handled", 0, count);
    }

    private void liveThroughput(BenchSuite suite) throws Exception {
        int count = scale.live();
        long handledBefore = suite.mutations("handled");
        Map<String, Duration> before = suite.cpu();
        long began = System.nanoTime();
        suite.write("orders", 1_000_000, count);
        double written = (System.nanoTime() - began) / 1e9;
        suite.awaitHandled("handled", handledBefore, count);
        double handled = (System.nanoTime() - began) / 1e9;
        out.printf("%nwrite -> handler -> write, %,d mutations, written as fast as possible%n", count);
        out.printf("  %,.0f written/s, %,.0f handled/s%n", count / written, count / handled);
        printCpu(before, suite.cpu(), count);
    }

    private void latency(BenchSuite suite) throws Exception {
        int count = scale.rate() * scale.seconds();
        long handledBefore = suite.mutations("handled");
        suite.writePaced("orders", 2_000_000, count, scale.rate());
        suite.awaitHandled("handled", handledBefore, count);
        long[] millis = new long[count];
        AtomicInteger next = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            DocumentKey key = new DocumentKey(Keyspace.of("handled"), SampleDocuments.id(2_000_000 + i));
            millis[next.getAndIncrement()] = suite.millisToHandler(key);
        }
        Percentiles percentiles = new Percentiles(millis);
        out.printf("%nwrite -> handler start at %,d mutations/s for %d s%n", scale.rate(), scale.seconds());
        out.printf(
                "  p50 %d ms, p99 %d ms, p99.9 %d ms, max %d ms%n",
                percentiles.at(50), percentiles.at(99), percentiles.at(99.9), percentiles.at(100));
    }

    private void drain(BenchSuite suite) throws Exception {
        int count = scale.backlog();
        suite.createBucket("backlog");
        suite.write("backlog", 3_000_000, count);
        long handledBefore = suite.mutations("handled");
        Map<String, Duration> before = suite.cpu();
        suite.deploy("drain", HANDLER, "backlog", "handled", "eventing");
        long began = System.nanoTime();
        MemoryWatch memory = new MemoryWatch();
        while (suite.mutations("handled") - handledBefore < count) {
            memory.sample(suite.processes());
            suite.pause(Duration.ofMillis(500));
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf("%nbacklog of %,d mutations%n", count);
        out.printf("  drained in %.1f s, %,.0f handled/s%n", seconds, count / seconds);
        printCpu(before, suite.cpu(), count);
        memory.print(out);
    }

    private void printCpu(Map<String, Duration> before, Map<String, Duration> after, int count) {
        Map<String, Double> micros = new LinkedHashMap<>();
        after.forEach((name, used) -> {
            Duration earlier = Optional.ofNullable(before.get(name)).orElse(Duration.ZERO);
            micros.put(name, used.minus(earlier).toNanos() / 1e3 / count);
        });
        out.printf(
                "  CPU per mutation: %.1f us",
                micros.values().stream().mapToDouble(Double::doubleValue).sum());
        micros.forEach((name, value) -> out.printf(", %s %.1f", name, value));
        out.println();
    }
}
