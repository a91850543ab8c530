package io.millrace.benchmarks;

import io.millrace.benchmarks.handlers.HandlersBench;
import io.millrace.benchmarks.rebalance.RebalanceBench;
import io.millrace.benchmarks.start.StartBench;
import io.millrace.benchmarks.subdoc.SubdocBench;
import io.millrace.rebalance.RebalanceSimulation;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The entry point of {@code ./millrace bench}: runs one benchmark by its name. */
final class Bench {

    private static final List<String> NAMES = List.of(
            "eventing",
            "handlers",
            "subdoc",
            "timers",
            "scaleout",
            "rebalance",
            "rebalance-simulation",
            "kv",
            "fuzz",
            "query",
            "changes",
            "start");

    private Bench() {}

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        String name = args.length == 0 ? "eventing" : args[0];
        if (!NAMES.contains(name)) {
            out.println("Unknown benchmark '" + name + "'; choose one of: " + String.join(", ", NAMES));
            System.exit(2);
        }
        if (name.equals("rebalance-simulation")) {
            RebalanceSimulation.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        out.println(Machine.describe());
        switch (name) {
            case "handlers" -> handlers(Arrays.asList(args).subList(1, args.length), out);
            case "timers" ->
                new TimersBench(
                                args.length > 1 && args[1].equals("short")
                                        ? TimersBench.Scale.SHORT
                                        : TimersBench.Scale.FULL,
                                out)
                        .run();
            case "subdoc" -> new SubdocBench(out).run(Arrays.asList(args).subList(1, args.length));
            case "rebalance" -> new RebalanceBench(Arrays.asList(args).subList(1, args.length), out).run();
            case "scaleout" -> new ScaleoutBench(ScaleoutBench.Scale.named(args.length > 1 ? args[1] : ""), out).run();
            case "kv" -> new KvBench(KvBench.Scale.FULL, out).run();
            case "changes" -> new ChangesBench(ChangesBench.Scale.named(args.length > 1 ? args[1] : ""), out).run();
            case "query" -> new QueryBench(QueryBench.Scale.FULL, out).run();
            case "start" ->
                new StartBench(Path.of(System.getProperty("millrace.root", "")).toAbsolutePath(), out).run();
            case "fuzz" -> new KvFuzz(Duration.ofMinutes(args.length > 1 ? Long.parseLong(args[1]) : 10), out).run();
            default -> new EventingBench(EventingBench.Scale.FULL, out).run();
        }
    }

    /** {@code short} takes less time; names select workloads. */
    private static void handlers(List<String> args, PrintStream out) throws Exception {
        HandlersBench.Scale scale = args.contains("short") ? HandlersBench.Scale.SHORT : HandlersBench.Scale.FULL;
        List<String> names = args.stream().filter(arg -> !arg.equals("short")).toList();
        new HandlersBench(scale.of(names), out).run();
    }
}
