package io.millrace.benchmarks.handlers;

import io.millrace.benchmarks.handlers.HandlerWorkloads.Workload;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.WorkerCommand;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures handler calls per second of a worker's CPU time, without Redis: this program sends events over the worker's
 * connection and receives log lines and outcomes.
 */
public final class HandlersBench {

    private static final String GUARD_COST = "io.millrace.handler.GuardCost";

    /**
     * The size of a run in CPU time of the worker, so that a busy machine only makes it longer.
     *
     * @param warmUp the CPU time before the measurement; the compiler needs 10 to 20 s
     * @param measured the CPU time of the measurement
     * @param whole whether to measure also without the compiler and without insight
     * @param workloads the names of the workloads to measure
     */
    public record Scale(Duration warmUp, Duration measured, boolean whole, List<String> workloads) {

        public static final Scale FULL = new Scale(
                Duration.ofSeconds(30),
                Duration.ofSeconds(8),
                true,
                HandlerWorkloads.ALL.stream().map(Workload::name).toList());

        /** Half a minute on a quiet machine. */
        public static final Scale SHORT =
                new Scale(Duration.ofSeconds(12), Duration.ofSeconds(3), false, List.of("A0", "D1"));

        /** Returns a run of only these workloads; unchanged without names. */
        public Scale of(List<String> names) {
            return names.isEmpty() ? this : new Scale(warmUp, measured, whole, names);
        }
    }

    private static final Duration INTERPRETED_WARM_UP = Duration.ofSeconds(6);

    private final Scale scale;
    private final PrintStream out;
    private final Path worker = Path.of(System.getProperty("millrace.root", ""))
            .resolve("eventing-worker")
            .resolve("target")
            .resolve("worker");

    public HandlersBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    public void run() throws Exception {
        WorkerCommand command = WorkerCommand.of(worker);
        table(command, scale.warmUp());
        if (scale.whole()) {
            table(command.interpreted(), INTERPRETED_WARM_UP);
        }
        out.printf("%nthe guard: %s ns per invocation%n", guardNanos(command));
        if (scale.whole()) {
            insight(command);
        }
    }

    private void insight(WorkerCommand command) throws Exception {
        Workload change = HandlerWorkloads.CHANGE_1K;
        double on = measure(command, change, scale.warmUp(), true).perCpuSecond();
        double off = measure(command, change, scale.warmUp(), false).perCpuSecond();
        out.printf("insight with D1: on %,.0f, off %,.0f per CPU-second; %.2f us%n", on, off, 1e6 / on - 1e6 / off);
    }

    private void table(WorkerCommand command, Duration warmUp) throws Exception {
        out.printf(
                "%n%s%n",
                command.whyInterpreted().map(why -> "interpreted: " + why).orElse("compiled"));
        for (Workload workload : HandlerWorkloads.ALL) {
            if (scale.workloads().contains(workload.name())) {
                WorkerDriver.Run run = measure(command, workload, warmUp, true);
                out.printf(
                        "  %-3s %-37s %,6d B %,11.0f per CPU-second, %8.2f us; this program %.2f us%n",
                        workload.name(),
                        workload.what(),
                        workload.document().length,
                        run.perCpuSecond(),
                        1e6 / run.perCpuSecond(),
                        run.driverMicros());
            }
        }
    }

    private WorkerDriver.Run measure(WorkerCommand command, Workload workload, Duration warmUp, boolean insight)
            throws Exception {
        try (WorkerDriver driver = WorkerDriver.start(command, setup(workload, insight))) {
            driver.run(warmUp, workload::event);
            WorkerDriver.Run run = driver.run(scale.measured(), workload::event);
            if (workload.logs() && run.loggedChars() < run.invocations() * workload.document().length / 4) {
                throw new IOException("Log lines of workload " + workload.name() + " were lost");
            }
            return run;
        }
    }

    private static WorkerSetup setup(Workload workload, boolean insight) {
        return new WorkerSetup(
                "bench",
                "bench",
                new WorkerSetup.Source(workload.code(), List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(1, 60_000, 128L << 20),
                "INFO",
                "source",
                "redis://127.0.0.1:1",
                List.of(),
                HandlerSettings.STANDARD.withInsight(insight));
    }

    /** Measures the guard in a process with the class path of a worker, because only its module can access it. */
    private String guardNanos(WorkerCommand command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(command.build(Path.of("none"), Path.of("none")));
        int classPath = line.indexOf("-cp") + 1;
        line.set(classPath, line.get(classPath) + File.pathSeparator + handlerTests());
        line.subList(classPath + 1, line.size()).clear();
        line.add(GUARD_COST);
        Process process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(GUARD_COST + " ended with " + process.exitValue());
        }
        return answer.substring(answer.lastIndexOf('\n') + 1); // the JVM reports its directives before
    }

    private static String handlerTests() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Path.of(entry).getFileName().toString().matches("handler-.*-tests\\.jar"))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("The tests of the handler module are not on the class path"));
    }
}
