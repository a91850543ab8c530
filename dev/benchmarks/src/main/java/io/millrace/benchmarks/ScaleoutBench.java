package io.millrace.benchmarks;

import io.millrace.benchmarks.ScaleoutReport.Kind;
import io.millrace.benchmarks.ScaleoutReport.Part;
import io.millrace.benchmarks.ScaleoutReport.Row;
import io.millrace.benchmarks.ScaleoutReport.Usage;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.launcher.suite.EventingNode;
import io.millrace.launcher.suite.Service;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many mutations one, two and three eventing nodes handle whose handler computes, each node on a core of its own as far
 * as there are cores; and what a node costs the others. Fails when a document has no result or another than it should.
 */
final class ScaleoutBench {

    /**
     * How much to measure.
     *
     * @param nodes the most nodes
     * @param warmUp seconds of each run that does not count, before a measurement
     * @param measured seconds of each measurement
     * @param idle seconds in which nothing is written, after each
     */
    record Scale(int nodes, int warmUp, int measured, int idle) {

        public static final Scale FULL = new Scale(3, 8, 20, 5);
        public static final Scale SHORT = new Scale(2, 3, 5, 2);

        static Scale named(String name) {
            return name.equals("short") ? SHORT : FULL;
        }
    }

    private static final String NAME = "scaleout";

    /** The CPU time of a handler call, long enough to make the cost of Redis and the feed small in comparison. */
    private static final double HANDLER_MICROS = 2000;

    private static final int FIRST_ROUNDS = 200_000;
    private static final int LEAST_ROUNDS = 1_000;
    private static final int MOST_ROUNDS = 1_000_000_000;
    private static final int CALIBRATIONS = 8;
    private static final double LARGEST_STEP = 8;
    private static final int QUIET_LOOKS = 30;

    /** A worker that uses less of a core is quiet. */
    private static final double QUIET_PART = 0.1;

    /** A figure that is off by less, as a part of it, is right. */
    private static final double CLOSE = 0.2;

    private static final int MOST_WARM_UPS = 8;
    private static final int FEW_WAITING = 100;
    private static final int WAITING = 3000;
    private static final Duration START = Duration.ofSeconds(2);
    private static final Duration CALIBRATION = Duration.ofSeconds(3);

    private final Scale scale;
    private final PrintStream out;
    private final Cores cores = Cores.ofMachine();
    private final List<EventingNode> more = new ArrayList<>();

    /** A moment: the counters and clocks of everything. */
    private record Sample(long nanos, long handled, Map<Part, Duration> cpu, SortedMap<Integer, Cores.Ticks> ticks) {}

    ScaleoutBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    void run() throws Exception {
        try (BenchSuite suite = BenchSuite.start()) {
            for (String bucket : List.of(ScaleoutWork.SOURCE, ScaleoutWork.TARGET, "eventing")) {
                suite.createBucket(bucket);
            }
            suite.create(
                    NAME,
                    ScaleoutWork.HANDLER,
                    ScaleoutWork.SOURCE,
                    ScaleoutWork.TARGET,
                    "eventing",
                    Map.of("cpp_worker_thread_count", 1));
            suite.deploy(NAME);
            ScaleoutWork work = new ScaleoutWork(suite, FIRST_ROUNDS);
            ScaleoutReport report = new ScaleoutReport();
            for (int nodes = 1; nodes <= scale.nodes(); nodes++) {
                join(suite, nodes);
                pin(suite);
                if (nodes == 1) {
                    calibrate(suite, work);
                }
                Row row = measure(suite, work, nodes);
                report.add(row);
                out.println(ScaleoutReport.details(row));
            }
            out.println(report.table());
            out.println(report.bounds());
            check(work.verdict());
        }
    }

    private void join(BenchSuite suite, int nodes) throws Exception {
        if (nodes > 1) {
            // what is started inherits the cores of who starts it
            Cores.pin(ProcessHandle.current().pid(), cores.all());
            more.add(suite.startNode("node-" + nodes));
        }
        suite.awaitBalanced(NAME, nodes);
    }

    private void pin(BenchSuite suite) throws InterruptedException {
        boolean pinned = true;
        for (Map.Entry<Part, List<Long>> part : processes(suite).entrySet()) {
            for (long pid : part.getValue()) {
                pinned &= Cores.pin(pid, coresOf(part.getKey()));
            }
        }
        if (!pinned) {
            out.println("Not pinned: there is no taskset, or it failed.");
            return;
        }
        StringBuilder text = new StringBuilder("pinned: Redis, writer and other services to core ")
                .append(Cores.text(cores.ofTheRest()));
        for (int node = 1; node <= more.size() + 1; node++) {
            List<Integer> own = cores.ofNode(node);
            text.append("; node ").append(node).append(own.size() == 1 ? " to core " : " to any of the cores ");
            text.append(Cores.text(own));
        }
        out.println(text);
    }

    private List<Integer> coresOf(Part part) {
        return part.node() == 0 ? cores.ofTheRest() : cores.ofNode(part.node());
    }

    private Map<Part, List<Long>> processes(BenchSuite suite) {
        Map<Part, List<Long>> pids = new HashMap<>();
        pids.put(new Part(Kind.WRITER, 0), List.of(ProcessHandle.current().pid()));
        pids.put(new Part(Kind.REDIS, 0), List.of(suite.redisPid()));
        pids.put(
                new Part(Kind.OTHERS, 0),
                List.of(suite.pid(Service.METAKV), suite.pid(Service.SUBDOC), suite.pid(Service.GATEWAY)));
        putNode(pids, 1, suite.pid(Service.EVENTING));
        for (int i = 0; i < more.size(); i++) {
            putNode(pids, i + 2, more.get(i).pid());
        }
        return pids;
    }

    private static void putNode(Map<Part, List<Long>> pids, int node, long service) {
        pids.put(new Part(Kind.SERVICE, node), List.of(service));
        pids.put(
                new Part(Kind.WORKER, node),
                ProcessHandle.of(service).stream()
                        .flatMap(ProcessHandle::children)
                        .map(ProcessHandle::pid)
                        .toList());
    }

    /**
     * Finds how long the handler must compute to use as much CPU as wanted, on this machine and runtime. The handler is
     * compiled meanwhile, which costs CPU and makes it many times faster, so that two figures in a row must be right.
     */
    private void calibrate(BenchSuite suite, ScaleoutWork work) throws Exception {
        int right = 0;
        for (int step = 0; step < CALIBRATIONS && right < 2; step++) {
            Sample before = sample(suite, work);
            work.run(CALIBRATION, FEW_WAITING);
            double micros = usage(before, sample(suite, work)).micros(Kind.WORKER);
            work.drain();
            awaitQuiet(suite, work);
            right = Math.abs(micros / HANDLER_MICROS - 1) < CLOSE ? right + 1 : 0;
            double factor = Math.clamp(HANDLER_MICROS / micros, 1.0 / LARGEST_STEP, LARGEST_STEP);
            work.rounds((int) Math.clamp(work.rounds() * factor, LEAST_ROUNDS, MOST_ROUNDS));
        }
        out.printf(
                "handler: %,d rounds, about %.1f ms of CPU; worker runtime %s, one worker with one thread a node%n",
                work.rounds(), HANDLER_MICROS / 1000, suite.workerRuntime(NAME));
    }

    /** Returns when no worker is busy: with nothing to handle, what one does is to compile. */
    private void awaitQuiet(BenchSuite suite, ScaleoutWork work) throws InterruptedException {
        for (int look = 0; look < QUIET_LOOKS; look++) {
            Sample before = sample(suite, work);
            suite.pause(Duration.ofMillis(500));
            Usage usage = usage(before, sample(suite, work));
            if (usage.millis(Kind.WORKER) < QUIET_PART * usage.seconds() * 1000) {
                return;
            }
        }
    }

    /** Runs until a mutation costs the workers no less than the time before: the compilers of a new node have ended. */
    private void warmUp(BenchSuite suite, ScaleoutWork work) throws Exception {
        double last = Double.MAX_VALUE;
        for (int run = 0; run < MOST_WARM_UPS; run++) {
            Sample before = sample(suite, work);
            work.run(Duration.ofSeconds(scale.warmUp()), FEW_WAITING);
            double micros = usage(before, sample(suite, work)).micros(Kind.WORKER);
            work.drain();
            awaitQuiet(suite, work);
            if (micros > last * (1 - CLOSE / 2)) {
                return;
            }
            last = micros;
        }
        out.println("The compilers of the workers are still running.");
    }

    private Row measure(BenchSuite suite, ScaleoutWork work, int nodes) throws Exception {
        warmUp(suite, work);
        work.run(START, WAITING);
        Sample before = sample(suite, work);
        work.run(Duration.ofSeconds(scale.measured()), WAITING);
        Usage loaded = usage(before, sample(suite, work));
        work.drain();
        awaitQuiet(suite, work);
        Sample quiet = sample(suite, work);
        suite.pause(Duration.ofSeconds(scale.idle()));
        return new Row(nodes, loaded, usage(quiet, sample(suite, work)));
    }

    private Sample sample(BenchSuite suite, ScaleoutWork work) {
        Map<Part, Duration> cpu = new HashMap<>();
        processes(suite)
                .forEach((part, pids) -> pids.forEach(pid -> cpu.merge(part, ProcessUsage.cpu(pid), Duration::plus)));
        return new Sample(System.nanoTime(), work.handled(), cpu, cores.ticks());
    }

    private static Usage usage(Sample before, Sample after) {
        Map<Part, Double> cpu = new HashMap<>();
        after.cpu().forEach((part, used) -> {
            Duration earlier = before.cpu().getOrDefault(part, Duration.ZERO);
            cpu.put(part, used.minus(earlier).toNanos() / 1e6);
        });
        SortedMap<Integer, Double> busy = new TreeMap<>();
        after.ticks().forEach((core, ticks) -> {
            Cores.Ticks earlier = before.ticks().get(core);
            if (earlier != null) {
                busy.put(core, ticks.percentSince(earlier));
            }
        });
        double seconds = (after.nanos() - before.nanos()) / 1e9;
        return new Usage(seconds, after.handled() - before.handled(), cpu, busy);
    }

    private void check(ScaleoutWork.Verdict verdict) {
        out.printf(
                "%,d documents: %d without result, %d with a wrong one, %d calls repeated%n",
                verdict.documents(), verdict.lost(), verdict.wrong(), verdict.repeated());
        if (verdict.lost() > 0 || verdict.wrong() > 0) {
            throw new IllegalStateException("Results are missing or wrong; see the line above");
        }
    }
}
