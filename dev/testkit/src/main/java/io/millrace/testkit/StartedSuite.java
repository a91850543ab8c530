package io.millrace.testkit;

import io.millrace.launcher.suite.Service;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** {@code up} as a process with a data directory. Linux only: it looks into {@code /proc}. */
final class StartedSuite {

    private static final Duration READY_LIMIT = Duration.ofMinutes(10);
    private static final Duration END_LIMIT = Duration.ofMinutes(1);

    /** A process that has lost its parent needs a moment to notice. */
    private static final Duration GONE_LIMIT = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofMillis(20);

    private final Path directory;
    private final Path output;
    private final Process process;
    private final URI gateway;
    private final long started = System.nanoTime();

    /**
     * Starts a command.
     *
     * @param directory of data, logs and output
     */
    StartedSuite(List<String> up, Path directory) throws IOException {
        this.directory = directory;
        this.output = directory.resolve("output");
        // a shell can only trap an interrupt that was not ignored when it began, as it is for jobs in the background
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(up);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        FreePorts.set(builder.environment());
        builder.environment().put("MILLRACE_DATA", data().toString());
        builder.environment().put("MILLRACE_LOG_DIR", directory.resolve("logs").toString());
        String port = Objects.requireNonNull(builder.environment().get(Service.GATEWAY.portVariable()));
        this.gateway = URI.create("http://127.0.0.1:" + port);
        this.process = builder.start();
    }

    Path data() {
        return directory.resolve("data");
    }

    URI gateway() {
        return gateway;
    }

    /** Returns how long the start has taken. */
    Duration awaitReady() throws IOException {
        while (!said().contains("\nMillrace is ready after ")) {
            if (!process.isAlive() || age().compareTo(READY_LIMIT) > 0) {
                throw new IllegalStateException("The suite did not become ready:\n" + said());
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return age();
    }

    /** Waits until the start is so old, or has failed. */
    void awaitAge(Duration wanted) {
        while (process.isAlive() && age().compareTo(wanted) < 0) {
            LockSupport.parkNanos(wanted.minus(age()).toNanos());
        }
    }

    /**
     * Interrupts the command, as Ctrl-C does, and returns how long it took to end.
     *
     * @throws IllegalStateException if it does not end, ends with a false error, or leaves a process or a lock
     */
    Duration interrupt() throws IOException, InterruptedException {
        long interrupted = System.nanoTime();
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        if (!process.waitFor(END_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException(
                    "The suite still runs " + END_LIMIT.toSeconds() + " s after the interrupt:\n" + said());
        }
        Duration took = Duration.ofNanos(System.nanoTime() - interrupted);
        if (said().contains("ended before it was ready") || said().contains("ended unexpectedly")) {
            throw new IllegalStateException("The interrupt was reported as a failure:\n" + said());
        }
        checkProcesses();
        checkLock();
        return took;
    }

    /** Kills what is left, after a failure. */
    void kill() throws IOException {
        process.destroyForcibly();
        left().forEach(ProcessHandle::destroyForcibly);
    }

    private void checkProcesses() throws IOException {
        long since = System.nanoTime();
        while (!left().isEmpty()) {
            if (System.nanoTime() - since > GONE_LIMIT.toNanos()) {
                throw new IllegalStateException("Processes were left running: "
                        + left().stream()
                                .map(left -> left.pid() + " "
                                        + left.info().commandLine().orElse(""))
                                .toList());
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private void checkLock() throws IOException {
        Path lock = data().resolve("suite.lock");
        if (!Files.exists(lock)) {
            return; // interrupted before
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            if (held == null) {
                throw new IllegalStateException("The data directory is still locked by " + Files.readString(lock));
            }
        }
        if (Files.exists(data().resolve("suite.json"))) {
            throw new IllegalStateException(data() + " still says that a suite uses it");
        }
    }

    /**
     * Returns the processes of this suite, whatever their parent is: by their environment, or, as Redis writes its title over
     * that, by their directory.
     */
    private List<ProcessHandle> left() throws IOException {
        List<ProcessHandle> left = new ArrayList<>();
        String mark = "MILLRACE_DATA=" + data() + "\0";
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path each : processes) {
                if (environment(each).contains(mark) || isBelowDirectory(each)) {
                    ProcessHandle.of(Long.parseLong(each.getFileName().toString()))
                            .ifPresent(left::add);
                }
            }
        }
        return left;
    }

    private boolean isBelowDirectory(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(directory);
        } catch (IOException e) {
            return false; // it has ended, or belongs to another user
        }
    }

    private static String environment(Path process) {
        try {
            return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has ended, or belongs to another user
        }
    }

    private Duration age() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private String said() throws IOException {
        return Files.exists(output) ? Files.readString(output) : "";
    }
}
