package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerCommand;
import io.millrace.workerprotocol.WorkerHeap;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts workers as processes of a worker distribution; their output goes to the service's log. */
final class WorkerProcesses implements WorkerLauncher {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerProcesses.class);

    /** The age at which a socket was left by a killed service: normally it is removed when its worker has connected. */
    private static final Duration STALE_SOCKET = Duration.ofMinutes(10);

    /** What workers inherit of the environment: what the JVM needs, and nothing that may be a secret. */
    private static final Set<String> INHERITED = Set.of(
            "PATH",
            "HOME",
            "TZ",
            "LANG",
            "LC_ALL",
            "LC_CTYPE",
            "TMPDIR",
            "LD_LIBRARY_PATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS");

    private final Path home;
    private final int mostHeapMib;
    private final boolean optimizing;
    private final AtomicBoolean swept = new AtomicBoolean();

    WorkerProcesses(Path home, int mostHeapMib, boolean optimizing) {
        this.home = home;
        this.mostHeapMib = mostHeapMib;
        this.optimizing = optimizing;
    }

    @Override
    public Worker launch(String name, WorkerSetup setup, Path socket) throws IOException {
        if (swept.compareAndSet(false, true)) {
            sweep(Path.of(System.getProperty("java.io.tmpdir")), Instant.now().minus(STALE_SOCKET));
        }
        WorkerCommand command = WorkerCommand.of(home).withHeapMib(WorkerHeap.neededMib(setup, mostHeapMib));
        ProcessBuilder builder = new ProcessBuilder((optimizing ? command : command.interpreted()).build(socket))
                .redirectErrorStream(true);
        builder.environment().keySet().retainAll(INHERITED);
        Process process = builder.start();
        process.getOutputStream().close();
        // a read from a pipe may pin its carrier thread, which all virtual threads share
        Thread.ofPlatform().daemon().name(name + "-output").start(() -> copyOutput(name, process));
        return new Spawned(process);
    }

    private record Spawned(Process process) implements Worker {
        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public CompletableFuture<Integer> exited() {
            return process.onExit().thenApply(Process::exitValue);
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }
    }

    private static void copyOutput(String name, Process process) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                LOG.info("event=worker_output worker={} pid={} line=\"{}\"", name, process.pid(), line);
            }
        } catch (IOException e) {
            LOG.debug("event=worker_output_ended worker={}", name, e);
        }
    }

    /** Removes the sockets of services that were killed while a worker was starting. */
    static void sweep(Path temporary, Instant before) {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(temporary, "millrace-*")) {
            for (Path directory : directories) {
                Path socket = directory.resolve("w");
                if (Files.exists(socket)
                        && Files.getLastModifiedTime(socket).toInstant().isBefore(before)) {
                    Files.deleteIfExists(socket);
                    Files.deleteIfExists(directory);
                    LOG.info("event=stale_socket_removed path={}", socket);
                }
            }
        } catch (IOException e) {
            LOG.info("event=sweep_failed directory={} reason=\"{}\"", temporary, e.toString());
        }
    }
}
