package io.millrace.testkit;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.redis.RedisConsole;
import io.millrace.launcher.redis.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Redis that all tests of this JVM share. It starts at the first call and stops with the JVM.
 *
 * <p>It is the first available of: the server at {@code TEST_REDIS_URL}, a Docker container, redis-server or valkey-server on
 * PATH, the bundled binary. If none is available, the call fails, so that no test is skipped.
 *
 * <p>A test must use its own bucket names or call {@link #flush()} first.
 */
public final class RedisFixture {

    private static @Nullable String url;

    private RedisFixture() {}

    /** Returns the address of the shared Redis as {@code redis://host:port}. */
    public static synchronized String url() {
        if (url == null) {
            url = found(System.getenv("TEST_REDIS_URL"), RedisContainer::startIfDockerAnswers, RedisFixture::own);
        }
        return url;
    }

    public static String host() {
        return URI.create(url()).getHost();
    }

    public static int port() {
        int port = URI.create(url()).getPort();
        return port < 0 ? 6379 : port;
    }

    /** Returns a client for single commands to the shared Redis. */
    public static RedisConsole console() {
        return new RedisConsole(url(), Duration.ofSeconds(10));
    }

    /** Deletes all data and functions of the shared Redis. */
    public static void flush() {
        try {
            console().call("FLUSHALL");
            console().call("FUNCTION", "FLUSH");
        } catch (IOException e) {
            throw new IllegalStateException("Cannot empty the Redis at " + url(), e);
        }
    }

    static String found(@Nullable String given, Supplier<@Nullable String> container, Supplier<String> own) {
        if (given != null && !given.isBlank()) {
            if (!new RedisConsole(given, Duration.ofSeconds(5)).answers()) {
                throw new LauncherException("No Redis answers at TEST_REDIS_URL " + given + "."
                        + " Start it, or unset TEST_REDIS_URL to let the tests start one.");
            }
            return given;
        }
        String contained = container.get();
        return contained != null ? contained : own.get();
    }

    private static String own() {
        Path directory = Directories.temporary("redis-fixture");
        return RedisServer.start(RedisServer.Settings.volatileIn(directory)).url();
    }
}
