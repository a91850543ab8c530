package io.millrace.benchmarks;

import io.millrace.benchmarks.http.FunctionRequests;
import io.millrace.benchmarks.http.OpenTabs;
import io.millrace.benchmarks.suite.CpuCosts;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.benchmarks.ways.LiveQueriesBench;
import io.millrace.benchmarks.ways.MessagesBench;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures ways into functions and out of them, each next to a program that does the same without Millrace. The part
 * {@code filter} drains one backlog twice: by a function that handles each change, and by one whose filter leaves 99 of 100 out.
 */
final class WaysBench {

    /** The most that a change may cost that a filter leaves out, as a share of one that is handled. */
    private static final double GOAL = 0.25;

    private static final int ONE_IN = 100;

    private static final String HANDLER = """
            function OnUpdate(doc, meta) {
                doc.total = 0;
                for (var item of doc.items) {
                    doc.total += item.price * item.quantity;
                }
                handled[meta.id] = doc;
            }
            """;

    /** The parts, in their order. */
    private static final List<String> PARTS = List.of("requests", "streams", "kafka", "filter", "live", "tabs");

    private static final String SHORT = "short";

    private final boolean shortRun;
    private final List<String> parts;
    private final int changes;
    private final PrintStream out;

    private WaysBench(boolean shortRun, List<String> parts, PrintStream out) {
        this.shortRun = shortRun;
        this.parts = parts;
        this.changes = shortRun ? 30_000 : 300_000;
        this.out = out;
    }

    /** Reads the arguments behind the name of the benchmark: {@code short}, and parts; all of them without one. */
    static WaysBench of(List<String> args, PrintStream out) {
        List<String> named = args.stream().filter(arg -> !arg.equals(SHORT)).toList();
        named.stream().filter(part -> !PARTS.contains(part)).findFirst().ifPresent(unknown -> {
            throw new IllegalArgumentException("Unknown argument '%s'; expected 'short' or one of %s."
                    .formatted(unknown, String.join(", ", PARTS)));
        });
        return new WaysBench(args.contains(SHORT), named.isEmpty() ? PARTS : named, out);
    }

    /** Returns whether all goals were reached. */
    boolean run() throws Exception {
        boolean reached = true;
        for (String part : parts) {
            reached &= switch (part) {
                case "requests" -> new FunctionRequests(shortRun, out).run();
                case "streams" -> new MessagesBench(shortRun, out).streams();
                case "kafka" -> new MessagesBench(shortRun, out).kafka();
                case "live" -> new LiveQueriesBench(shortRun, out).run();
                case "tabs" -> new OpenTabs(shortRun, out).run();
                default -> filter();
            };
        }
        return reached;
    }

    /**
     * Compares changes that do not match, left out and handled: what the same deployment costs more than one that finds only the
     * matching changes. Returns whether the goal was reached.
     */
    private boolean filter() throws Exception {
        try (BenchSuite suite = BenchSuite.start()) {
            suite.createBucket("orders");
            suite.createBucket("handled");
            suite.createBucket("eventing");
            suite.createBucket("matching");
            int matching = changes / ONE_IN;
            suite.write("orders", 0, changes);
            suite.write(
                    "matching",
                    0,
                    matching,
                    number -> SampleDocuments.body(number * ONE_IN, System.currentTimeMillis()));
            String filter = "type = 'order' AND number %% %d = 0".formatted(ONE_IN);
            drain(suite, "warm", "orders", "", changes);
            drain(suite, "warm-filter", "matching", filter, matching);
            Map<String, Double> few = drain(suite, "few", "matching", filter, matching);
            Map<String, Double> all = drain(suite, "all", "orders", "", changes);
            Map<String, Double> filtered = drain(suite, "filtered", "orders", filter, matching);
            Map<String, Double> handled = new TreeMap<>();
            Map<String, Double> leftOut = new TreeMap<>();
            all.forEach((process, micros) -> {
                double others = few.getOrDefault(process, 0.0);
                handled.put(process, (micros - others) / (changes - matching));
                leftOut.put(process, (filtered.getOrDefault(process, 0.0) - others) / (changes - matching));
            });
            out.printf("%nfilter, a backlog of %,d changes of which %,d match%n", changes, matching);
            out.printf("  CPU of a deployment that handles these alone, not counted below %s%n", new CpuCosts(few));
            out.printf("  CPU per handled change %s%n", new CpuCosts(handled));
            out.printf("  CPU per change left out %s%n", new CpuCosts(leftOut));
            return new Goals(out)
                    .atMost(
                            "CPU of a change left out / handled",
                            new CpuCosts(leftOut).sum() / new CpuCosts(handled).sum(),
                            GOAL)
                    .met();
        }
    }

    /** Returns the CPU time of Redis, the service and the workers in microseconds, until the backlog is handled. */
    private Map<String, Double> drain(BenchSuite suite, String name, String source, String filter, int expected)
            throws Exception {
        suite.create(name, HANDLER, source, "handled", "eventing", Map.of("filter", filter));
        long before = suite.mutations("handled");
        Map<String, Duration> used = suite.cpu();
        suite.deploy(name);
        suite.awaitHandled("handled", before, expected);
        Map<String, Double> micros = new TreeMap<>();
        suite.cpu().forEach((process, now) -> {
            if (!process.equals(BenchSuite.BENCHMARK)) {
                Duration earlier = used.getOrDefault(process, Duration.ZERO);
                String kind = process.startsWith("worker") ? "workers" : process;
                micros.merge(kind, now.minus(earlier).toNanos() / 1e3, Double::sum);
            }
        });
        suite.undeploy(name);
        return micros;
    }
}
