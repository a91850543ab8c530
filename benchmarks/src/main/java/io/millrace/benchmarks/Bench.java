package io.millrace.benchmarks;

import io.millrace.benchmarks.subdoc.SubdocBench;
import io.millrace.rebalance.RebalanceSimulation;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** The entry point of {@code ./millrace bench}: runs one benchmark by its name. */
public final class Bench {

    private static final List<String> NAMES = List.of("eventing", "subdoc", "timers", "rebalance-simulation");

    private Bench() {}

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        String name = args.length == 0 ? "eventing" : args[0];
        if (!NAMES.contains(name)) {
            out.println("There is no benchmark '" + name + "'. Choose one of: " + String.join(", ", NAMES));
            System.exit(2);
        }
        if (name.equals("rebalance-simulation")) {
            RebalanceSimulation.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        out.println(Machine.describe());
        if (name.equals("timers")) {
            new TimersBench(TimersBench.Scale.FULL, out).run();
        } else if (name.equals("subdoc")) {
            new SubdocBench(out).run(Arrays.asList(args).subList(1, args.length));
        } else {
            new EventingBench(EventingBench.Scale.FULL, out).run();
        }
    }
}
