package io.millrace.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A Redis server process of our own on 127.0.0.1: started when it answers, ended by its process handle and, if nobody
 * did, when this JVM exits.
 *
 * <p>The executable is the first of redis-server and valkey-server on PATH and the one bundled with the launcher. It
 * writes {@code redis.log} and its data into its directory.
 */
public final class RedisServer implements AutoCloseable {

    /** How long a server may take to load its data and answer. */
    public static final Duration START_LIMIT = Duration.ofSeconds(60);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final int ATTEMPTS_ON_FREE_PORTS = 5;

    private final RedisBinary binary;
    private final Settings settings;
    private final Thread ender = new Thread(this::end, "redis-ender");
    private volatile Process process;
    private volatile int port;

    /**
     * How a server is to be started.
     *
     * @param directory where data and log go; made when absent
     * @param port 0 takes a free one
     * @param appendOnly whether writes survive the end of the process
     * @param more further settings, as {@code redis-server} takes them in its configuration file
     */
    public record Settings(Path directory, int port, boolean appendOnly, Map<String, String> more) {

        /** A server on a free port that forgets everything at its end. */
        public static Settings volatileIn(Path directory) {
            return new Settings(directory, 0, false, Map.of());
        }

        /** A server on a free port that keeps its data in the directory. */
        public static Settings durableIn(Path directory) {
            return new Settings(directory, 0, true, Map.of());
        }

        public Settings withPort(int newPort) {
            return new Settings(directory, newPort, appendOnly, more);
        }

        public Settings with(Map<String, String> newMore) {
            return new Settings(directory, port, appendOnly, newMore);
        }
    }

    private RedisServer(RedisBinary binary, Settings settings) {
        this.binary = binary;
        this.settings = settings;
        this.port = settings.port();
        this.process = launched();
    }

    /** Starts a server and returns when it answers; fails with {@link LauncherException} and the tail of its log. */
    public static RedisServer start(Settings settings) {
        RedisServer server = startUnhooked(settings);
        Runtime.getRuntime().addShutdownHook(server.ender);
        return server;
    }

    /** As {@link #start}, for a caller that ends the server itself when this JVM exits. */
    static RedisServer startUnhooked(Settings settings) {
        return new RedisServer(RedisBinary.find(System.getenv()), settings);
    }

    /** Where the server listens, as {@code redis://127.0.0.1:port}; the same over restarts. */
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

    /** What runs, for people to read: version and where the executable comes from. */
    public String description() {
        return "Redis " + binary.version() + " (" + binary.origin() + ")";
    }

    public RedisConsole console() {
        return new RedisConsole(url(), Duration.ofSeconds(5));
    }

    /** Returns when the process that runs now has ended, whoever ended it. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Ends the process as a crash does: nothing is flushed, nobody is told. Returns when it is gone. */
    public synchronized void kill9() {
        process.destroyForcibly();
        reap();
    }

    /** Starts the server again, on the same port and directory, after its end or after stopping it. */
    public synchronized void restart() {
        end();
        process = launched();
    }

    /** Ends the server in good order: data is flushed. Does nothing when it is not running. */
    public synchronized void stop() {
        end();
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(ender);
        } catch (IllegalStateException e) {
            // the JVM is going down: the hook has run or finds nothing to do
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
                                ? "Port " + port + " is in use, so Redis cannot start there"
                                : description() + " did not start. Its log in " + settings.directory() + " ends:\n"
                                        + log);
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
        words.addAll(List.of("--appendonly", settings.appendOnly() ? "yes" : "no"));
        // documents are small hashes: keep them in their compact form up to a few kilobytes
        words.addAll(List.of("--hash-max-listpack-value", "4096"));
        settings.more().forEach((name, value) -> words.addAll(List.of("--" + name, value)));
        return words;
    }

    private boolean isReady(Process candidate) {
        RedisConsole console = console();
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            if (hasEnded(candidate, 10)) {
                return false;
            }
            if (console.answers() && isFrom(candidate, console)) {
                return true;
            }
        }
        candidate.destroyForcibly();
        return false;
    }

    /** Another server may have the port and answer in the moment before ours gives up. */
    private static boolean isFrom(Process candidate, RedisConsole console) {
        try {
            return console.call("INFO", "server").contains("process_id:" + candidate.pid() + "\r");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean hasEnded(Process candidate, long withinMillis) {
        try {
            candidate.onExit().get(withinMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new LauncherException("Cannot watch Redis", e);
        } catch (InterruptedException e) {
            candidate.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while Redis was starting", e);
        }
    }

    private Path log() {
        return settings.directory().resolve("redis.log");
    }

    private String logTail() {
        try {
            String text = Files.readString(log(), StandardCharsets.UTF_8);
            return text.substring(Math.max(0, text.length() - 2000)).strip();
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }
}
