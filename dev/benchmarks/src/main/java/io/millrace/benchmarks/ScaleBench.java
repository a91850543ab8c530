package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.CpuCosts;
import io.millrace.benchmarks.suite.RedisReads;
import io.millrace.benchmarks.suite.SampleDocuments;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the cost of a mutation grows: with the documents of a bucket, with the functions on one source, and with the size of a
 * document. Every figure is CPU time of a mutation that is handled while it is written.
 */
final class ScaleBench {

    /**
     * The size of a run.
     *
     * @param documents how many there are in a bucket, in ascending order
     * @param functions how many read one source, in ascending order
     * @param mutations that count for each figure; of large documents there are fewer
     */
    record Scale(List<Integer> documents, List<Integer> functions, int mutations) {

        private static final List<Integer> FUNCTIONS = List.of(1, 10, 100);
        private static final Scale FULL = new Scale(List.of(100_000, 1_000_000), FUNCTIONS, 50_000);
        private static final Scale LARGE = new Scale(List.of(100_000, 1_000_000, 10_000_000), FUNCTIONS, 50_000);
        private static final Scale SHORT = new Scale(List.of(10_000, 100_000), FUNCTIONS, 10_000);

        /** Returns the scale of an argument; "" is the full one. */
        static Scale named(String name) {
            return switch (name) {
                case "" -> FULL;
                case "large" -> LARGE;
                case "short" -> SHORT;
                default ->
                    throw new IllegalArgumentException("'" + name + "' is not a size; use short or large, or nothing");
            };
        }
    }

    /** The most reads of Redis with many functions, compared with one. */
    private static final double MOST_READS = 1.5;

    private static final List<Integer> SIZES = List.of(200, 1_000, 10_000, 100_000);

    /** Larger documents are fewer, so that as many bytes are written. */
    private static final int USUAL_SIZE = 1_000;

    private static final int FEWEST = 1_000;

    private static final Map<String, Object> CHANGES_ONLY = Map.of("dcp_stream_boundary", "from_now");
    private static final String HANDLED = "handled";
    private static final String METADATA = "eventing";

    private static final String WRITING = """
            function OnUpdate(doc, meta) {
                doc.handled = true;
                handled[meta.id] = doc;
            }
            """;

    /** Writes nothing, so that what Redis does for it are reads. */
    private static final String READING = """
            function OnUpdate(doc, meta) {
                if (doc.type !== "order") {
                    throw new Error("not an order: " + meta.id);
                }
            }
            """;

    private final Scale scale;
    private final PrintStream out;

    ScaleBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    /** Returns whether many functions read little more than one. */
    boolean run() throws IOException, InterruptedException {
        try (BenchSuite suite = BenchSuite.start()) {
            suite.createBucket(HANDLED);
            suite.createBucket(METADATA);
            out.printf("%nCPU of a mutation by the documents in its bucket%n");
            for (int documents : scale.documents) {
                byDocuments(suite, documents);
            }
            out.printf("%nCPU of a mutation by the size of its document%n");
            for (int bytes : SIZES) {
                bySize(suite, bytes);
            }
            return byFunctions(suite);
        }
    }

    private void byDocuments(BenchSuite suite, int documents) throws IOException, InterruptedException {
        String name = "documents-" + documents;
        suite.createBucket(name);
        suite.write(name, 0, documents);
        deploy(suite, name, WRITING, name);
        writeAndHandle(suite, () -> suite.writeSpread(name, documents, scale.mutations), scale.mutations);
        CpuCosts costs =
                writeAndHandle(suite, () -> suite.writeSpread(name, documents, scale.mutations), scale.mutations);
        out.printf("  %,10d documents: %s%n", documents, costs);
        suite.undeploy(name);
    }

    private void bySize(BenchSuite suite, int bytes) throws IOException, InterruptedException {
        String name = "size-" + bytes;
        int count = Math.max(FEWEST, Math.min(scale.mutations, scale.mutations * USUAL_SIZE / bytes));
        suite.createBucket(name);
        deploy(suite, name, WRITING, name);
        Writes writes = () -> suite.write(name, 0, count, number -> SampleDocuments.ofSize(number, bytes));
        writeAndHandle(suite, writes, count);
        CpuCosts costs = writeAndHandle(suite, writes, count);
        out.printf(
                "  %,10d bytes: %s; %.1f ns a byte%n",
                SampleDocuments.ofSize(0, bytes).length, costs, costs.sum() * 1e3 / bytes);
        suite.undeploy(name);
    }

    private interface Writes {
        void run() throws InterruptedException;
    }

    private static CpuCosts writeAndHandle(BenchSuite suite, Writes writes, int count) throws InterruptedException {
        long handledBefore = suite.mutations(HANDLED);
        Map<String, Duration> before = suite.cpu();
        writes.run();
        suite.awaitHandled(HANDLED, handledBefore, count);
        return CpuCosts.between(before, suite.cpu(), count);
    }

    private boolean byFunctions(BenchSuite suite) throws IOException, InterruptedException {
        String source = "shared";
        suite.createBucket(source);
        out.printf("%nCPU of a mutation by the functions on its source; they write nothing%n");
        List<String> deployed = new ArrayList<>();
        read(suite, source, deployed);
        RedisReads alone = read(suite, source, deployed);
        double one = 0;
        double most = 0;
        for (int functions : scale.functions) {
            while (deployed.size() < functions) {
                String name = "function-" + deployed.size();
                deploy(suite, name, READING, source);
                deployed.add(name);
            }
            read(suite, source, deployed);
            Map<String, Duration> before = suite.cpu();
            RedisReads reads = read(suite, source, deployed);
            CpuCosts costs = CpuCosts.between(before, suite.cpu(), scale.mutations);
            most = (double) reads.minus(alone).calls() / scale.mutations;
            one = functions == 1 ? most : one;
            out.printf(
                    "  %,4d functions: %s; Redis reads %.2f times and for %.2f us more than without functions%n",
                    functions, costs, most, (double) reads.minus(alone).micros() / scale.mutations);
        }
        boolean right = most <= MOST_READS * one;
        out.printf(
                "reads with the most functions: %.2f times those of one (limit %.1f)%s%n",
                most / one, MOST_READS, right ? "" : "; TOO MANY");
        return right;
    }

    /** Writes documents, waits until all functions have handled them, and returns what Redis has read meanwhile. */
    private RedisReads read(BenchSuite suite, String source, List<String> functions)
            throws IOException, InterruptedException {
        List<Long> handled = new ArrayList<>();
        for (String function : functions) {
            handled.add(suite.updated(function));
        }
        RedisReads before = suite.reads();
        suite.write(source, 0, scale.mutations);
        for (int i = 0; i < functions.size(); i++) {
            suite.awaitUpdated(functions.get(i), handled.get(i) + scale.mutations);
        }
        return suite.reads().minus(before);
    }

    private static void deploy(BenchSuite suite, String name, String code, String source)
            throws IOException, InterruptedException {
        suite.create(name, code, source, HANDLED, METADATA, CHANGES_ONLY);
        suite.deploy(name);
    }
}
