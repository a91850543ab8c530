package io.millrace.testkit;

import io.millrace.launcher.redis.RedisConsole;
import io.millrace.launcher.redis.RedisServer;
import java.nio.file.Path;
import java.util.Map;

/**
 * A Redis for one test that kills or restarts it; ended and removed by {@link #close()}.
 *
 * <p>Always a local process, whatever {@link RedisFixture} uses.
 */
public final class OwnRedis implements AutoCloseable {

    private final Path directory;
    private final RedisServer server;

    private OwnRedis(Path directory, RedisServer server) {
        this.directory = directory;
        this.server = server;
    }

    /** Forgets everything when it ends. */
    public static OwnRedis startVolatile() {
        Path directory = Directories.temporary("own-redis");
        return new OwnRedis(directory, RedisServer.start(RedisServer.Settings.volatileIn(directory)));
    }

    /** Keeps every acknowledged write over {@link #kill9()} and {@link #restart()}. */
    public static OwnRedis startDurable() {
        return startDurable(Map.of("appendfsync", "always"));
    }

    /** Has an append-only file, and settings as in {@code redis.conf}. */
    public static OwnRedis startDurable(Map<String, String> settings) {
        Path directory = Directories.temporary("own-redis");
        return new OwnRedis(
                directory,
                RedisServer.start(RedisServer.Settings.durableIn(directory).with(settings)));
    }

    public String url() {
        return server.url();
    }

    public int port() {
        return server.port();
    }

    public long pid() {
        return server.pid();
    }

    public RedisConsole console() {
        return server.console();
    }

    /** Ends the process as a crash does. */
    public void kill9() {
        server.kill9();
    }

    /** Ends the process in good order; {@link #restart()} starts it again. */
    public void stop() {
        server.stop();
    }

    /** Starts the server again on the same port and data; returns when it answers. */
    public void restart() {
        server.restart();
    }

    @Override
    public void close() {
        server.close();
        Directories.delete(directory);
    }
}
