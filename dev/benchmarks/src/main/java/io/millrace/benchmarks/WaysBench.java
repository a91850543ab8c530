package io.millrace.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Measures ways into functions. The part {@code filter} drains one backlog twice: by a function that handles each change,
 * and by one whose filter leaves 99 of 100 out.
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

    /**
     * The size of a run.
     *
     * @param changes the backlog, a multiple of 100
     */
    record Scale(int changes) {
        static final Scale FULL = new Scale(300_000);
        static final Scale SHORT = new Scale(30_000);

        static Scale named(String name) {
            return switch (name) {
                case "" -> FULL;
                case "short" -> SHORT;
                default -> throw new IllegalArgumentException("Unknown argument '" + name + "'; expected 'short'.");
            };
        }
    }

    private final Scale scale;
    private final PrintStream out;

    WaysBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    /** Returns whether the goal was reached. */
    boolean run() throws Exception {
        try (BenchSuite suite = BenchSuite.start()) {
            suite.createBucket("orders");
            suite.createBucket("handled");
            suite.createBucket("eventing");
            suite.write("orders", 0, scale.changes());
            drain(suite, "warm", "", scale.changes());
            double all = drain(suite, "all", "", scale.changes());
            int matching = scale.changes() / ONE_IN;
            double few = drain(suite, "few", "type = 'order' AND number %% %d = 0".formatted(ONE_IN), matching);
            double handled = all / scale.changes();
            double leftOut = (few - handled * matching) / (scale.changes() - matching);
            out.printf("%nfilter, a backlog of %,d changes of which %,d match%n", scale.changes(), matching);
            out.printf("  CPU per handled change %.1f us, per change left out %.1f us%n", handled, leftOut);
            out.printf(
                    "  a change left out costs %.2f of a handled one (goal: at most %.2f)%n", leftOut / handled, GOAL);
            return leftOut / handled <= GOAL;
        }
    }

    /** Returns the CPU time of Redis, the service and the workers in microseconds, until the backlog is handled. */
    private double drain(BenchSuite suite, String name, String filter, int expected) throws Exception {
        suite.create(name, HANDLER, "orders", "handled", "eventing", Map.of("filter", filter));
        long before = suite.mutations("handled");
        Map<String, Duration> used = suite.cpu();
        suite.deploy(name);
        suite.awaitHandled("handled", before, expected);
        double micros = 0;
        for (Map.Entry<String, Duration> process : suite.cpu().entrySet()) {
            if (!process.getKey().equals(BenchSuite.BENCHMARK)) {
                Duration earlier =
                        Optional.ofNullable(used.get(process.getKey())).orElse(Duration.ZERO);
                micros += process.getValue().minus(earlier).toNanos() / 1e3;
            }
        }
        suite.undeploy(name);
        return micros;
    }
}
