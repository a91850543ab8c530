package io.millrace.eventing.hosts;

import io.millrace.workerprotocol.WorkerCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the processes of a worker distribution; their output goes to the service's log. */
final class HostProcesses {

    private static final Logger LOG = LoggerFactory.getLogger(HostProcesses.class);

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

    private final HostSettings settings;
    private final AtomicBoolean swept = new AtomicBoolean();

    HostProcesses(HostSettings settings) {
        this.settings = settings;
    }

    /** A directory of its own for the crash report of a process: only this user may read it. */
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /**
     * A started process.
     *
     * @param crashReport where it writes why it crashed
     * @param release the distribution from which it was started, see {@link Renewals#release}
     */
    record Started(Process process, Path crashReport, String release) {

        /** Reads the crash report and removes it. */
        Optional<CrashReport> takeCrash() {
            Optional<CrashReport> crash = CrashReport.read(crashReport);
            try {
                Files.deleteIfExists(crashReport);
                Files.deleteIfExists(crashReport.resolveSibling(""));
            } catch (IOException e) {
                LOG.debug("event=crash_report_left path={}", crashReport, e);
            }
            return crash;
        }
    }

    /** Starts a process that connects to a socket. */
    Started start(String name, Path socket) throws IOException {
        if (swept.compareAndSet(false, true)) {
            sweep(Path.of(System.getProperty("java.io.tmpdir")), Instant.now().minus(STALE_SOCKET));
        }
        WorkerCommand command = WorkerCommand.of(settings.home()).withHeapMib(settings.heapMib());
        Path crash = Files.createTempDirectory("millrace-crash-", PRIVATE).resolve("report");
        List<String> line = (settings.optimizing() ? command : command.interpreted()).build(socket, crash);
        ProcessBuilder builder = new ProcessBuilder(Precedence.of(settings.niceness(), line)).redirectErrorStream(true);
        prepare(builder.environment());
        String release = Renewals.release(settings.home());
        Process process = builder.start();
        process.getOutputStream().close();
        // a read from a pipe may pin its carrier thread, which all virtual threads share
        Thread.ofPlatform().daemon().name(name + "-output").start(() -> copyOutput(name, process));
        return new Started(process, crash, release);
    }

    /** Leaves what workers may see of the environment of this process, and adds their own. */
    void prepare(Map<String, String> environment) {
        environment.keySet().retainAll(INHERITED);
        environment.putAll(settings.environment());
    }

    private static void copyOutput(String name, Process process) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                LOG.info("event=worker_output host={} pid={} line=\"{}\"", name, process.pid(), line);
            }
        } catch (IOException e) {
            LOG.debug("event=worker_output_ended host={}", name, e);
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
