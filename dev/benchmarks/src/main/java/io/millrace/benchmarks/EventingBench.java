package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.BenchArguments;
import io.millrace.benchmarks.suite.CpuCosts;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.Recording;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.launcher.suite.Service;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Measures one function, from the write of a document to the write of the handler, in one run of the whole suite: plain SET
 * and a loop in Node.js for comparison, mutations at full speed, latency at a moderate rate, and a draining backlog with the
 * memory of every process, of a fresh deployment and then of the same function warm.
 */
final class EventingBench {

    /**
     * The size of a run.
     *
     * @param live mutations written as fast as possible while the function runs
     * @param rate mutations per second of the latency measurement
     * @param seconds its length
     * @param backlog mutations that wait when the function is deployed
     * @param loop documents that wait for the loop in Node.js
     */
    record Scale(int live, int rate, int seconds, int backlog, int loop) {
        static final Scale FULL = new Scale(300_000, 2_000, 20, 1_000_000, 100_000);
        static final Scale SHORT = new Scale(60_000, 1_000, 5, 100_000, 50_000);
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

    /** The same work in code of its own: the compiled form of the other one does not help it. */
    private static final String FRESH = HANDLER + "// drains\n";

    /** What the worker of a fresh deployment may use, in multiples of a warm one. */
    private static final double FRESH_TO_WARM = 1.3;

    /** What a process may grow by while a warm function drains a backlog: documents on their way come and go. */
    private static final double FLAT = 1.1;

    private final Scale scale;
    private final PrintStream out;

    /** Where the flight recordings of the first draining backlog are kept, null for none. */
    private final @Nullable Path recording;

    private EventingBench(Scale scale, @Nullable Path recording, PrintStream out) {
        this.scale = scale;
        this.recording = recording;
        this.out = out;
    }

    /** Reads the arguments behind the name of the benchmark. */
    static EventingBench of(List<String> args, PrintStream out) {
        BenchArguments given = BenchArguments.of(args);
        return new EventingBench(given.shortRun() ? Scale.SHORT : Scale.FULL, given.recording(), out);
    }

    /** Returns whether memory was flat; the goals of speed are printed, whether they are met depends on the machine. */
    boolean run() throws Exception {
        try (BenchSuite suite = BenchSuite.start()) {
            suite.createBucket("orders");
            suite.createBucket("handled");
            suite.createBucket("eventing");
            setYardstick(suite);
            NodeLoop node = new NodeLoop(suite, out);
            double loop = node.drain(scale.loop());
            suite.deploy("bench", HANDLER, "orders", "handled", "eventing");
            out.println("worker runtime: " + suite.workerRuntime("bench"));
            warmUp(suite);
            liveThroughput(suite);
            latency(suite);
            node.follow(scale.rate(), scale.seconds());
            suite.undeploy("bench");
            return drainTwice(suite, loop);
        }
    }

    /**
     * Drains a backlog with a function whose code no process has seen, and another one with the same function.
     *
     * @return whether the memory of the second one was flat
     */
    private boolean drainTwice(BenchSuite suite, double loop) throws Exception {
        suite.createBucket("backlog");
        Drain fresh = drain(
                suite,
                "of a fresh deployment",
                recording,
                () -> suite.deploy("drain", FRESH, "backlog", "handled", "eventing"));
        out.printf(
                "%na drained mutation costs %.2f times the Node loop; the benchmark itself is counted in neither%n",
                fresh.costs().sum() / loop);
        suite.pause("drain");
        Drain warm = drain(suite, "of the same function, paused and resumed", null, () -> suite.resume("drain"));
        double freshWorkers = fresh.costs().workers();
        double warmWorkers = warm.costs().workers();
        out.printf(
                "%nworker CPU per mutation: of a fresh deployment %.1f us, of a warm one %.1f us%n",
                freshWorkers, warmWorkers);
        new Goals(out).atMost("a fresh worker in warm ones", freshWorkers / warmWorkers, FRESH_TO_WARM);
        return new Goals(out)
                .atMost("growth of a worker in the second drain", warm.memory().growth(CpuCosts.WORKER), FLAT)
                .atMost(
                        "growth of the service in the second drain",
                        warm.memory().growth(Service.EVENTING.moduleName()),
                        FLAT)
                .met();
    }

    /**
     * A backlog that was drained.
     *
     * @param costs CPU time per mutation without that of the benchmark, which only looks on
     */
    private record Drain(CpuCosts costs, MemoryWatch memory) {}

    /** Makes a function take a backlog. */
    private interface Start {
        void run() throws IOException, InterruptedException;
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
        out.println("  " + percentiles.millis());
    }

    private Drain drain(BenchSuite suite, String what, @Nullable Path recording, Start start) throws Exception {
        int count = scale.backlog();
        suite.write("backlog", 3_000_000, count);
        long handledBefore = suite.mutations("handled");
        Map<String, Duration> before = suite.cpu();
        start.run();
        long began = System.nanoTime();
        Recording recorded = recording == null ? null : Recording.start(recording, suite.processes());
        MemoryWatch memory = new MemoryWatch();
        while (suite.mutations("handled") - handledBefore < count) {
            memory.sample(suite.processes());
            suite.pause(Duration.ofMillis(500));
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf("%nbacklog of %,d mutations %s%n", count, what);
        out.printf("  drained in %.1f s, %,.0f handled/s%n", seconds, count / seconds);
        CpuCosts all = CpuCosts.between(before, suite.cpu(), count);
        CpuCosts costs = all.without(BenchSuite.BENCHMARK);
        out.printf("  CPU per mutation: %s; not counted: the benchmark, %.1f%n", costs, all.of(BenchSuite.BENCHMARK));
        memory.print(out);
        if (recorded != null) {
            recorded.keep().forEach((process, kept) -> out.printf("  recording of %s: %s%n", process, kept));
        }
        return new Drain(costs, memory);
    }

    /** Prints the CPU time of each process per mutation; the benchmark is the one that writes what is measured. */
    private void printCpu(Map<String, Duration> before, Map<String, Duration> after, int count) {
        out.printf("  CPU per mutation: %s%n", CpuCosts.between(before, after, count));
    }
}
