package io.millrace.launcher.suite;

import io.millrace.launcher.FileFailure;
import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A service of the suite, or several of them, as a process with a log file. */
final class ServiceProcess implements Supervisor.Program {

    static final Duration READY_LIMIT = Duration.ofMinutes(5);
    static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LOG_BYTES_KEPT = 10L * 1024 * 1024;
    private static final int TAIL_BYTES = 3000;

    private final String name;
    private final Supplier<List<String>> command;
    private final Map<String, String> environment;
    private final Path log;
    private final List<URI> urls;
    private final @Nullable SSLContext tls;
    private volatile @Nullable Process process;
    private boolean ending;

    /**
     * Creates a process without starting it.
     *
     * @param command called at every start; may take a while
     * @param urls the base URLs of its services
     * @param tls trusts their certificate, or null if they have none
     */
    ServiceProcess(
            String name,
            Supplier<List<String>> command,
            Map<String, String> environment,
            Path log,
            List<URI> urls,
            @Nullable SSLContext tls) {
        this.name = name;
        this.command = command;
        this.environment = Map.copyOf(environment);
        this.log = log;
        this.urls = List.copyOf(urls);
        this.tls = tls;
    }

    @Override
    public String name() {
        return name;
    }

    long pid() {
        return running().pid();
    }

    synchronized void start() {
        if (ending) {
            return;
        }
        createLogDirectory();
        try {
            rotateLongLog();
            ProcessBuilder builder = new ProcessBuilder(command.get())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new LauncherException("Cannot start " + name() + ": " + e.getMessage(), e);
        }
    }

    private void createLogDirectory() {
        Path directory = log.toAbsolutePath().getParent();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot use the log directory " + directory + ": " + FileFailure.of(e)
                            + ". MILLRACE_LOG_DIR names another one",
                    e);
        }
    }

    @Override
    public void restart() {
        start();
    }

    /**
     * Waits until the service, which was just started, reports that it is ready.
     *
     * @throws LauncherException if it ends before, or is not ready within {@link #READY_LIMIT}
     */
    void awaitFirstReady() throws InterruptedException {
        awaitReady(true);
    }

    /** Waits until the service, which may be restarting, reports that it is ready. */
    void awaitReady() throws InterruptedException {
        awaitReady(false);
    }

    private void awaitReady(boolean failWhenEnded) throws InterruptedException {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2));
        if (tls != null) {
            builder.sslContext(tls);
        }
        try (HttpClient client = builder.build()) {
            while (!isReady(client)) {
                if (failWhenEnded && !running().isAlive()) {
                    throw new LauncherException(name() + " ended before it was ready. " + exitReport());
                }
                if (System.nanoTime() > deadline) {
                    throw new LauncherException(name() + " is not ready after " + READY_LIMIT.toSeconds() + " s at "
                            + urls + ". " + exitReport());
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        running().waitFor();
    }

    /** Kills the process, as a crash does, and waits until it has ended. */
    void kill9() throws InterruptedException {
        running().destroyForcibly().waitFor();
    }

    /** Kills the process without waiting for its end. */
    void kill() {
        Process current = process;
        if (current != null) {
            current.destroyForcibly();
        }
    }

    /** Terminates the process and waits; kills it after {@link #STOP_LIMIT}. It cannot be started again. */
    void end() {
        end(System.nanoTime() + STOP_LIMIT.toNanos());
    }

    /** As {@link #end()}, but kills the process at a moment of {@link System#nanoTime()}. */
    void end(long deadline) {
        Process current;
        synchronized (this) {
            ending = true;
            current = process;
        }
        if (current == null) {
            return;
        }
        current.destroy();
        try {
            if (!current.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                current.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            current.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String exitReport() {
        Process current = running();
        String status = current.isAlive() ? "It is running." : "Its exit status was " + current.exitValue() + ".";
        return status + " The end of its log " + log + ":\n" + logTail();
    }

    private Process running() {
        Process current = process;
        if (current == null) {
            throw new LauncherException(name() + " is not running");
        }
        return current;
    }

    private boolean isReady(HttpClient client) throws InterruptedException {
        for (URI url : urls) {
            if (!isReady(client, url)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReady(HttpClient client, URI url) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/actuator/health/readiness"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private void rotateLongLog() throws IOException {
        if (Files.exists(log) && Files.size(log) > LOG_BYTES_KEPT) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private String logTail() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - TAIL_BYTES);
            byte[] bytes = new byte[Math.toIntExact(file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "(cannot be read: " + e.getMessage() + ")";
        }
    }
}
