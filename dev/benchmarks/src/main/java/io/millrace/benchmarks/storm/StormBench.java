package io.millrace.benchmarks.storm;

import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.launcher.FileTree;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import io.millrace.testkit.storm.Footprint;
import io.millrace.testkit.storm.Holdings;
import io.millrace.testkit.storm.Storm;
import io.millrace.testkit.storm.StormReport;
import io.millrace.testkit.storm.StormScale;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Overloads a suite in different ways at the same time, and shows what a well-behaved client met and what is left of it
 * afterwards.
 */
public final class StormBench {

    private static final Duration DURATION = Duration.ofMinutes(2);
    private static final long P99_LIMIT_MILLIS = 500;

    /** The services close the connections that the gateway does not use any more after 75 seconds. */
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(2);

    private final StormScale scale;
    private final Path root;
    private final PrintStream out;

    private StormBench(StormScale scale, Path root, PrintStream out) {
        this.scale = scale;
        this.root = root;
        this.out = out;
    }

    /** @param args how many seconds the storm lasts; two minutes if it does not say */
    public static StormBench of(List<String> args, Path root, PrintStream out) {
        Duration duration = args.isEmpty() ? DURATION : Duration.ofSeconds(Long.parseLong(args.getFirst()));
        return new StormBench(StormScale.FULL.lasting(duration), root, out);
    }

    /** Returns whether all bounds were kept. */
    public boolean run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("millrace-storm");
        out.println(scale);
        out.println("logs in " + directory.resolve("logs"));
        SuiteSettings settings = SuiteSettings.of(root, root.resolve(".millrace/run"))
                .freePorts()
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"));
        List<String> problems;
        try (Suite suite = Suite.start(settings)) {
            problems = blow(suite);
        }
        problems.forEach(problem -> out.println("WRONG: " + problem));
        if (problems.isEmpty()) {
            FileTree.delete(directory);
        }
        return problems.isEmpty();
    }

    private List<String> blow(Suite suite) throws IOException, InterruptedException {
        String authorization = suite.login().authorization();
        Storm storm = Storm.on(suite.url(Service.GATEWAY), authorization, scale);
        storm.prepare();
        Map<String, Long> pids = pids(suite);
        Map<String, URI> urls =
                Arrays.stream(Service.values()).collect(Collectors.toMap(Service::moduleName, suite::url));
        Holdings holdings = Holdings.of(pids, urls, suite.clusterSecret());
        Map<String, Long> all = new TreeMap<>(pids);
        all.put("clients", ProcessHandle.current().pid());
        Map<String, Duration> before = ProcessUsage.cpu(all);
        long begun = System.nanoTime();

        StormReport report = storm.run();

        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        Map<String, Duration> after = ProcessUsage.cpu(all);
        out.println(report);
        List<String> problems = new ArrayList<>(report.problems(P99_LIMIT_MILLIS));
        if (!pids(suite).equals(pids)) {
            problems.add("A service ended and was started again");
            return problems;
        }
        problems.addAll(holdings.excess(SETTLED_WITHIN));
        Map<String, Footprint> left = holdings.footprints();
        out.printf(
                "%-18s %9s %8s %22s %18s%n", "process", "CPU time", "of a core", "heap in MiB, before", "descriptors");
        all.forEach((name, pid) -> {
            Duration used = after.getOrDefault(name, Duration.ZERO).minus(before.getOrDefault(name, Duration.ZERO));
            Footprint then = holdings.before().getOrDefault(name, new Footprint(0, 0));
            Footprint now = left.getOrDefault(name, new Footprint(0, 0));
            out.printf(
                    "%-18s %,7.1f s %7d %% %,10d %,10d %,9d %,9d%n",
                    name,
                    used.toMillis() / 1e3,
                    100 * used.toMillis() / Math.max(1, took.toMillis()),
                    now.heapBytes() >> 20,
                    then.heapBytes() >> 20,
                    now.descriptors(),
                    then.descriptors());
        });
        return problems;
    }

    private static Map<String, Long> pids(Suite suite) {
        return Arrays.stream(Service.values()).collect(Collectors.toMap(Service::moduleName, suite::pid));
    }
}
