package io.millrace.benchmarks.start;

import io.millrace.benchmarks.suite.Memory;
import io.millrace.benchmarks.suite.Pace;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.launcher.FileTree;
import io.millrace.testkit.FreePorts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs {@code ./millrace up} on the built tree with an empty data directory, several times. The time is from the start of
 * the script to the line that says that all services are ready; memory is that of all processes, without a function.
 */
public final class StartBench {

    /** The first run after a build also unpacks the programs; it is the first of these and never the least. */
    private static final int RUNS = 5;

    /** The services are still busy for a moment after they have become ready. */
    private static final Duration IDLE = Duration.ofSeconds(20);

    private static final Duration POLL = Duration.ofMillis(20);

    private static final Duration READY_LIMIT = Duration.ofMinutes(5);

    private final Path root;
    private final PrintStream out;

    /**
     * The figures of one start.
     *
     * @param ready from the start of the script to the last service that became ready
     * @param cpu of all processes until then
     * @param memory of all processes in MiB, {@link #IDLE} later
     */
    record Run(Duration ready, Duration cpu, Memory memory) {}

    public StartBench(Path root, PrintStream out) {
        this.root = root;
        this.out = out;
    }

    /** Prints every run and the least figures. */
    public void run() throws IOException, InterruptedException {
        List<Run> runs = new ArrayList<>();
        for (int i = 1; i <= RUNS; i++) {
            Path scratch = Files.createTempDirectory("millrace-start");
            try {
                Run run = one(scratch);
                out.printf("start %d of %d: %s%n", i, RUNS, describe(run));
                runs.add(run);
            } finally {
                FileTree.delete(scratch);
            }
        }
        out.println("least of " + RUNS + ": " + describe(least(runs)));
    }

    private Run one(Path scratch) throws IOException, InterruptedException {
        Path output = scratch.resolve("output");
        long started = System.nanoTime();
        Process up = start(scratch, output);
        try {
            awaitReady(up, output, started);
            Duration ready = Duration.ofNanos(System.nanoTime() - started);
            Duration cpu = processes(up).stream()
                    .map(process -> ProcessUsage.cpu(process.pid()))
                    .reduce(Duration.ZERO, Duration::plus);
            Pace.pause(IDLE);
            return new Run(
                    ready,
                    cpu,
                    Memory.ofAll(processes(up).stream().map(ProcessHandle::pid).toList()));
        } finally {
            up.destroy();
            up.waitFor();
        }
    }

    private Process start(Path scratch, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(root.resolve("millrace").toString(), "up")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("MILLRACE_DATA", scratch.resolve("data").toString());
        builder.environment().put("MILLRACE_LOG_DIR", scratch.resolve("logs").toString());
        FreePorts.set(builder.environment());
        return builder.start();
    }

    private static void awaitReady(Process up, Path output, long started) throws IOException {
        while (!Files.readString(output).contains("\nMillrace is ready after ")) {
            if (!up.isAlive() || System.nanoTime() - started > READY_LIMIT.toNanos()) {
                throw new IOException("./millrace up did not become ready:\n" + Files.readString(output));
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static List<ProcessHandle> processes(Process up) {
        List<ProcessHandle> all = new ArrayList<>(up.descendants().toList());
        all.add(up.toHandle());
        return all;
    }

    /** Returns the least of each figure, because other work on the machine only adds to them. */
    static Run least(List<Run> runs) {
        return new Run(
                runs.stream().map(Run::ready).min(Comparator.naturalOrder()).orElseThrow(),
                runs.stream().map(Run::cpu).min(Comparator.naturalOrder()).orElseThrow(),
                runs.stream()
                        .map(Run::memory)
                        .min(Comparator.comparing(Memory::proportionalMiB))
                        .orElseThrow());
    }

    private static String describe(Run run) {
        return "ready after %.1f s with %.1f s of CPU time; %d MiB resident, %d MiB with shared pages divided"
                .formatted(
                        run.ready().toMillis() / 1e3,
                        run.cpu().toMillis() / 1e3,
                        run.memory().residentMiB(),
                        run.memory().proportionalMiB());
    }
}
