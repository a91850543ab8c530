package io.millrace.launcher.redis;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Redis server as a child process on 127.0.0.1. It ends with {@link #close()}, or with this JVM at the latest.
 *
 * <p>The executable is redis-server or valkey-server from PATH, or else the one bundled with the launcher. It writes
 * {@code redis.log} and its data to its directory.
 */
public final class RedisServer implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration BETWEEN_MESSAGES = Duration.ofSeconds(10);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final int ATTEMPTS_ON_FREE_PORTS = 5;

    /** In the answer to INFO; the group is a part in percent. */
    private static final Pattern LOADING = Pattern.compile("(?s)\\nloading:1\\r.*\\nloading_loaded_perc:([0-9]+)");

    private final RedisBinary binary;
    private final Settings settings;
    private final Consumer<String> say;
    private final Thread ender = new Thread(this::end, "redis-ender");
    private volatile Process process;
    private volatile int port;

    /**
     * The settings of a server.
     *
     * @param directory the directory of data and log; created if it does not exist
     * @param port the port, or 0 for a free one
     * @param appendOnly whether writes survive the end of the process
     * @param more further options, as in the configuration file of {@code redis-server}
     * @param startLimit how long it may take until the server answers; the time in which it loads its data does not count
     */
    public record Settings(
            Path directory, int port, boolean appendOnly, Map<String, String> more, Duration startLimit) {

        /** Returns settings for a free port, without persistence. */
        public static Settings volatileIn(Path directory) {
            return new Settings(directory, 0, false, Map.of(), START_LIMIT);
        }

        /** Returns settings for a free port, with an append-only file in the directory. */
        public static Settings durableIn(Path directory) {
            return new Settings(directory, 0, true, Map.of(), START_LIMIT);
        }

        public Settings withPort(int newPort) {
            return new Settings(directory, newPort, appendOnly, more, startLimit);
        }

        public Settings with(Map<String, String> newMore) {
            return new Settings(directory, port, appendOnly, newMore, startLimit);
        }

        Settings withStartLimit(Duration limit) {
            return new Settings(directory, port, appendOnly, more, limit);
        }
    }

    private RedisServer(RedisBinary binary, Settings settings, Consumer<String> say) {
        this.binary = binary;
        this.settings = settings;
        this.say = say;
        this.port = settings.port();
        this.process = launched();
    }

    /**
     * Starts a server and waits until it has loaded its data, however long that takes, and answers.
     *
     * @throws LauncherException if it does not start, with the end of its log
     */
    public static RedisServer start(Settings settings) {
        RedisServer server = startUnhooked(settings, message -> {});
        Runtime.getRuntime().addShutdownHook(server.ender);
        return server;
    }

    /**
     * As {@link #start}, for a caller that stops the server itself when this JVM exits.
     *
     * @param say is told how far the server has loaded its data, also when it is started again
     */
    public static RedisServer startUnhooked(Settings settings, Consumer<String> say) {
        return new RedisServer(RedisBinary.find(System.getenv()), settings, say);
    }

    /**
     * Stops a server that an earlier launcher left running in a directory because it was killed, and waits until it has
     * ended. The caller must have the directory for itself.
     */
    public static void stopLeftOver(Path directory, Consumer<String> say) {
        Path file = pidFile(directory);
        try {
            if (!Files.exists(file)) {
                return;
            }
            Instant written = Files.getLastModifiedTime(file).toInstant();
            long pid = Long.parseLong(Files.readString(file).strip());
            ProcessHandle.of(pid)
                    .filter(process -> isServer(process, written) && isIn(process, directory))
                    .ifPresent(process -> {
                        say.accept("Stopping the Redis that an earlier start left running, process " + pid);
                        process.destroy();
                        if (!hasEnded(process, STOP_LIMIT)) {
                            process.destroyForcibly();
                            hasEnded(process, STOP_LIMIT);
                        }
                    });
        } catch (IOException | NumberFormatException e) {
            throw new LauncherException(
                    "Cannot read " + file + ", which names the Redis of an earlier start. Make sure that none uses "
                            + directory + ", delete the file and try again.",
                    e);
        }
    }

    /** A process id may belong to another program by now, which then started after the file was written. */
    private static boolean isServer(ProcessHandle process, Instant written) {
        ProcessHandle.Info info = process.info();
        boolean named = info.command()
                .map(command -> command.matches(".*/(redis|valkey)-server[^/]*"))
                .orElse(false);
        boolean older = info.startInstant()
                .map(start -> !start.isAfter(written.plusSeconds(1)))
                .orElse(false);
        return named && older;
    }

    /** In a copy of a data directory, the file names the server of the original. Only Linux tells the directory of a process. */
    private static boolean isIn(ProcessHandle process, Path directory) {
        Path current = Path.of("/proc", Long.toString(process.pid()), "cwd");
        try {
            return !Files.exists(current, LinkOption.NOFOLLOW_LINKS) || Files.isSameFile(current, directory);
        } catch (IOException e) {
            return false; // it has just ended
        }
    }

    private static boolean hasEnded(ProcessHandle process, Duration within) {
        try {
            process.onExit().get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new LauncherException("Cannot wait for process " + process.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while process " + process.pid() + " was stopping", e);
        }
    }

    /** Returns {@code redis://127.0.0.1:port}; a restart does not change it. */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the version and the origin of the executable, for messages. */
    public String description() {
        return description(binary);
    }

    /** Returns the version of the server that the launcher carries. */
    public static String bundledVersion() {
        return RedisBinary.BUNDLED_VERSION;
    }

    /**
     * Describes the executable that {@link #start} would run.
     *
     * @throws LauncherException if there is none
     */
    public static String available(Map<String, String> environment) {
        return description(RedisBinary.find(environment));
    }

    /** Returns whether {@link #start} would run the server that the launcher carries, because PATH has none. */
    public static boolean isBundled(Map<String, String> environment) {
        try {
            return RedisBinary.find(environment).isBundled();
        } catch (LauncherException e) {
            return false;
        }
    }

    private static String description(RedisBinary binary) {
        return "Redis " + binary.version() + " (" + binary.origin() + ")";
    }

    public RedisConsole console() {
        return new RedisConsole(url(), Duration.ofSeconds(5));
    }

    /** Waits until the current process has ended. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Kills the process, as a crash does: nothing is flushed. Waits until it has ended. */
    public synchronized void kill9() {
        process.destroyForcibly();
        reap();
    }

    /** Starts the server again with the same port and directory; stops it before if it is running. */
    public synchronized void restart() {
        end();
        process = launched();
    }

    /** Stops the server; Redis flushes its data before it ends. Does nothing if it is not running. */
    public synchronized void stop() {
        end();
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(ender);
        } catch (IllegalStateException e) {
            // the JVM is shutting down: the hook has run or finds nothing to do
        }
    }

    private void end() {
        process.destroy();
        reap();
    }

    private void reap() {
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private Process launched() {
        boolean anyPort = port == 0;
        for (int attempt = 1; ; attempt++) {
            if (anyPort) {
                port = Ports.free();
            }
            Process candidate = launch();
            if (isReady(candidate)) {
                return candidate;
            }
            String log = logTail();
            boolean taken = log.contains("Failed listening on port");
            if (!anyPort || !taken || attempt == ATTEMPTS_ON_FREE_PORTS) {
                throw new LauncherException(
                        taken
                                ? "Port " + port + " is in use; stop the program that uses it, or choose another port"
                                : description() + " did not start. The end of its log in " + settings.directory()
                                        + ":\n" + log);
            }
        }
    }

    private Process launch() {
        try {
            Files.createDirectories(settings.directory());
            Files.deleteIfExists(log());
            return new ProcessBuilder(commandLine())
                    .directory(settings.directory().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .start();
        } catch (IOException e) {
            throw new LauncherException("Cannot start " + binary.path() + " in " + settings.directory(), e);
        }
    }

    private List<String> commandLine() {
        List<String> words =
                new ArrayList<>(List.of(binary.path().toAbsolutePath().toString()));
        words.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port), "--save", ""));
        words.addAll(List.of(
                "--pidfile", pidFile(settings.directory()).toAbsolutePath().toString()));
        words.addAll(List.of("--appendonly", settings.appendOnly() ? "yes" : "no"));
        // documents are small hashes: keep the compact encoding up to a few kilobytes
        words.addAll(List.of("--hash-max-listpack-value", "4096"));
        settings.more().forEach((name, value) -> words.addAll(List.of("--" + name, value)));
        return words;
    }

    private boolean isReady(Process candidate) {
        RedisConsole console = console();
        long progress = System.nanoTime();
        long said = progress;
        while (System.nanoTime() - progress < settings.startLimit().toNanos()) {
            if (hasEnded(candidate, 10)) {
                return false;
            }
            String info = info(candidate, console);
            Matcher loading = LOADING.matcher(info);
            if (loading.find()) {
                progress = System.nanoTime();
                said = sayLoading(loading.group(1), said);
            } else if (!info.isEmpty()) {
                return true;
            }
        }
        candidate.destroyForcibly();
        return false;
    }

    /** Returns what the process tells of itself, "" if it does not answer. */
    private static String info(Process candidate, RedisConsole console) {
        try {
            String info = console.call("INFO");
            // another server may own the port and answer before this one fails to start
            return info.contains("process_id:" + candidate.pid() + "\r") ? info : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns when something was said last. */
    private long sayLoading(String percent, long last) {
        if (System.nanoTime() - last < BETWEEN_MESSAGES.toNanos()) {
            return last;
        }
        say.accept("Redis is loading its data: " + percent + " %");
        return System.nanoTime();
    }

    private static boolean hasEnded(Process candidate, long withinMillis) {
        try {
            candidate.onExit().get(withinMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new LauncherException("Cannot wait for the Redis process", e);
        } catch (InterruptedException e) {
            candidate.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while Redis was starting", e);
        }
    }

    private static Path pidFile(Path directory) {
        return directory.resolve("redis.pid");
    }

    private Path log() {
        return settings.directory().resolve("redis.log");
    }

    private String logTail() {
        try {
            String text = Files.readString(log(), StandardCharsets.UTF_8);
            return text.substring(Math.max(0, text.length() - 2000)).strip();
        } catch (IOException e) {
            return "(cannot be read: " + e.getMessage() + ")";
        }
    }
}
