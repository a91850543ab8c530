package io.millrace.benchmarks;

import io.millrace.benchmarks.access.LoginsBench;
import io.millrace.benchmarks.density.DensityBench;
import io.millrace.benchmarks.density.DeployBench;
import io.millrace.benchmarks.faults.FaultsBench;
import io.millrace.benchmarks.faults.RestartsBench;
import io.millrace.benchmarks.handlers.HandlersBench;
import io.millrace.benchmarks.http.HttpBench;
import io.millrace.benchmarks.kv.KvBench;
import io.millrace.benchmarks.lives.LivesBench;
import io.millrace.benchmarks.rebalance.RebalanceBench;
import io.millrace.benchmarks.start.StartBench;
import io.millrace.benchmarks.storm.StormBench;
import io.millrace.benchmarks.subdoc.SubdocBench;
import io.millrace.benchmarks.transactions.TransactionsBench;
import io.millrace.launcher.FileTree;
import io.millrace.rebalance.RebalanceSimulation;
import io.millrace.testkit.StartCycles;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The entry point of {@code ./millrace bench}: runs one benchmark by its name. */
final class Bench {

    private static final List<String> NAMES = List.of(
            "eventing",
            "deploy",
            "density",
            "lives",
            "handlers",
            "subdoc",
            "timers",
            "scale",
            "scaleout",
            "rebalance",
            "rebalance-simulation",
            "kv",
            "http",
            "ways",
            "transactions",
            "logins",
            "malformed",
            "query",
            "changes",
            "start",
            "cycles",
            "faults",
            "restarts",
            "storm",
            "traces");

    private static final int CYCLES = 50;
    private static final int MALFORMED_REQUESTS = 20_000;

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
            case "deploy" -> new DeployBench(out).run();
            case "density" ->
                DensityBench.of(Arrays.asList(args).subList(1, args.length), out)
                        .run();
            case "lives" ->
                endWith(LivesBench.of(Arrays.asList(args).subList(1, args.length), out)
                        .run());
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
            case "scale" -> endWith(new ScaleBench(ScaleBench.Scale.named(args.length > 1 ? args[1] : ""), out).run());
            case "kv" ->
                endWith(KvBench.of(Arrays.asList(args).subList(1, args.length), out)
                        .run());
            case "http" ->
                HttpBench.of(Arrays.asList(args).subList(1, args.length), out).run();
            case "ways" ->
                endWith(WaysBench.of(Arrays.asList(args).subList(1, args.length), out)
                        .run());
            case "transactions" ->
                endWith(TransactionsBench.of(Arrays.asList(args).subList(1, args.length), out)
                        .run());
            case "logins" ->
                endWith(new LoginsBench(LoginsBench.Scale.named(args.length > 1 ? args[1] : ""), out).run());
            case "changes" -> new ChangesBench(ChangesBench.Scale.named(args.length > 1 ? args[1] : ""), out).run();
            case "query" -> query(Arrays.asList(args).subList(1, args.length), out);
            case "start" -> new StartBench(root(), out).run();
            case "cycles" -> cycles(Arrays.asList(args).subList(1, args.length), out);
            case "faults" ->
                endWith(FaultsBench.of(Arrays.asList(args).subList(1, args.length), root(), out)
                        .run());
            case "restarts" ->
                endWith(RestartsBench.of(Arrays.asList(args).subList(1, args.length), root(), out)
                        .run());
            case "storm" ->
                endWith(StormBench.of(Arrays.asList(args).subList(1, args.length), root(), out)
                        .run());
            case "traces" -> {
                new TracesBench(out).run();
                new HandledTracesBench(out).run();
            }
            case "malformed" -> malformed(Arrays.asList(args).subList(1, args.length), out);
            default ->
                endWith(EventingBench.of(Arrays.asList(args).subList(Math.min(1, args.length), args.length), out)
                        .run());
        }
    }

    private static Path root() {
        return Path.of(System.getProperty("millrace.root", "")).toAbsolutePath();
    }

    /** The first argument is the number of cycles, the second one the seed of their moments. */
    private static void cycles(List<String> args, PrintStream out) throws Exception {
        int cycles = args.isEmpty() ? CYCLES : Integer.parseInt(args.getFirst());
        long seed = args.size() < 2 ? System.currentTimeMillis() : Long.parseLong(args.get(1));
        out.println("seed " + seed);
        Path directory = Files.createTempDirectory("millrace-cycles");
        new StartCycles(List.of(root().resolve("millrace").toString(), "up"), directory, seed, out::println)
                .run(cycles);
        FileTree.delete(directory); // kept after a failure
    }

    /** The first argument is the seed, the second one the number of requests. */
    private static void malformed(List<String> args, PrintStream out) throws Exception {
        long seed = args.isEmpty() ? System.currentTimeMillis() : Long.parseLong(args.getFirst());
        int count = args.size() < 2 ? MALFORMED_REQUESTS : Integer.parseInt(args.get(1));
        endWith(new MalformedBench(seed, count, out).run());
    }

    /** {@code heap} runs the statements that hold most in a small heap. */
    private static void query(List<String> args, PrintStream out) throws Exception {
        if (!args.isEmpty() && args.getFirst().equals("heap")) {
            endWith(QueryHeap.run(args.subList(1, args.size()), out));
        } else {
            new QueryBench(QueryBench.Scale.FULL, out).run();
        }
    }

    /** Ends with an error unless all that was measured is as it must be. */
    private static void endWith(boolean right) {
        if (!right) {
            System.exit(1);
        }
    }

    /** {@code short} takes less time; names select workloads. */
    private static void handlers(List<String> args, PrintStream out) throws Exception {
        HandlersBench.Scale scale = args.contains("short") ? HandlersBench.Scale.SHORT : HandlersBench.Scale.FULL;
        List<String> names = args.stream().filter(arg -> !arg.equals("short")).toList();
        new HandlersBench(scale.of(names), out).run();
    }
}
