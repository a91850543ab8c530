package io.millrace.benchmarks.density;

import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.Percentiles;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures how long a user waits, through the gateway: from the request to the status that was asked for, and to the refusal of
 * code that does not compile.
 */
public final class DeployBench {

    private static final int WARM_UPS = 5;
    private static final int ROUNDS = 20;
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final String FUNCTION = "blink";
    private static final int REFUSED = 400;

    private static final String HANDLER = """
            function OnUpdate(doc, meta) {
                handled[meta.id] = doc;
            }
            """;

    /** What is measured, in this order, and within how many milliseconds it should be done. */
    private static final Map<String, Integer> GOALS = goals();

    private final PrintStream out;
    private final Map<String, List<Long>> micros = new LinkedHashMap<>();

    public DeployBench(PrintStream out) {
        this.out = out;
    }

    private static Map<String, Integer> goals() {
        Map<String, Integer> goals = new LinkedHashMap<>();
        goals.put("deploy", 300);
        goals.put("pause", 150);
        goals.put("resume", 150);
        goals.put("undeploy", 150);
        goals.put("refuse", 100);
        return goals;
    }

    public void run() throws IOException, InterruptedException {
        try (Node node = Node.start()) {
            node.createBucket("orders");
            node.createBucket("handled");
            node.create(FUNCTION, HANDLER, "orders", "handled");
            for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
                if (round == WARM_UPS) {
                    micros.clear();
                }
                round(node.functions());
            }
        }
        print();
    }

    private void round(FunctionsClient functions) throws IOException, InterruptedException {
        change(functions, "deploy", "deployed");
        change(functions, "pause", "paused");
        change(functions, "resume", "deployed");
        change(functions, "undeploy", "undeployed");
        long began = System.nanoTime();
        int status = functions.save("broken", Node.definition("broken", HANDLER + "}", "orders", "handled"));
        took("refuse", began);
        if (status < REFUSED) {
            throw new IllegalStateException("Code that does not compile was answered with status " + status);
        }
    }

    private void change(FunctionsClient functions, String change, String until)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        functions.ask(FUNCTION, change);
        functions.awaitStatus(FUNCTION, until, LOOK);
        took(change, began);
    }

    private void took(String what, long began) {
        micros.computeIfAbsent(what, absent -> new ArrayList<>()).add((System.nanoTime() - began) / 1000);
    }

    private void print() {
        out.printf("%n%-10s %10s %10s %10s %10s%n", "", "median", "least", "longest", "goal");
        GOALS.forEach((what, goal) -> {
            Percentiles percentiles = new Percentiles(micros.getOrDefault(what, List.of()).stream()
                    .mapToLong(Long::longValue)
                    .toArray());
            out.printf(
                    "%-10s %7.0f ms %7.0f ms %7.0f ms %7d ms%n",
                    what, percentiles.at(50) / 1e3, percentiles.at(1) / 1e3, percentiles.at(100) / 1e3, goal);
        });
    }
}
