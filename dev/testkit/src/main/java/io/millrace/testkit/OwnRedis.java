package io.millrace.testkit;

import io.millrace.launcher.Ports;
import io.millrace.launcher.redis.RedisConsole;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.launcher.tls.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Redis for a single test that kills or restarts it. {@link #close()} stops it and deletes its data.
 *
 * <p>Always a local process, regardless of what {@link RedisFixture} uses.
 */
public final class OwnRedis implements AutoCloseable {

    private final Path directory;
    private final RedisServer server;
    private final int tlsPort;

    private OwnRedis(Path directory, RedisServer server) {
        this(directory, server, 0);
    }

    private OwnRedis(Path directory, RedisServer server, int tlsPort) {
        this.directory = directory;
        this.server = server;
        this.tlsPort = tlsPort;
    }

    /** Starts a server without persistence. */
    public static OwnRedis startVolatile() {
        Path directory = Directories.temporary("own-redis");
        return new OwnRedis(directory, RedisServer.start(RedisServer.Settings.volatileIn(directory)));
    }

    /** Starts a server that keeps every acknowledged write over {@link #kill9()} and {@link #restart()}. */
    public static OwnRedis startDurable() {
        return startDurable(Map.of("appendfsync", "always"));
    }

    /** Starts a server with an append-only file and with settings as in {@code redis.conf}. */
    public static OwnRedis startDurable(Map<String, String> settings) {
        Path directory = Directories.temporary("own-redis");
        return new OwnRedis(
                directory,
                RedisServer.start(RedisServer.Settings.durableIn(directory).with(settings)));
    }

    /**
     * Starts a server without persistence that takes TLS at {@link #tlsUrl()}, from clients with a certificate of the
     * authority only.
     */
    public static OwnRedis startWithTls(CertificateAuthority authority) {
        CertificateAuthority.Pair own = authority.forServer("redis", List.of("ip:127.0.0.1"));
        int tlsPort = Ports.free();
        Path directory = Directories.temporary("own-redis");
        Map<String, String> settings = Map.of(
                "tls-port", Integer.toString(tlsPort),
                "tls-cert-file", own.certificate().toString(),
                "tls-key-file", own.key().toString(),
                "tls-ca-cert-file", authority.certificate().toString(),
                "tls-auth-clients", "yes");
        return new OwnRedis(
                directory,
                RedisServer.start(RedisServer.Settings.volatileIn(directory).with(settings)),
                tlsPort);
    }

    /** Returns the address with TLS of a server that was started with it. */
    public String tlsUrl() {
        return "rediss://127.0.0.1:" + tlsPort;
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

    /** Returns the file to which a durable server appends; what is cut off from its end while it is down is lost. */
    public Path appended() {
        try (Stream<Path> files = Files.list(directory.resolve("appendonlydir"))) {
            return files.filter(file -> file.toString().endsWith(".incr.aof"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("Redis has no append-only file in " + directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process, as a crash does. */
    public void kill9() {
        server.kill9();
    }

    /** Stops the process regularly; {@link #restart()} starts it again. */
    public void stop() {
        server.stop();
    }

    /** Starts the server again with the same port and data, and waits until it answers. */
    public void restart() {
        server.restart();
    }

    @Override
    public void close() {
        server.close();
        Directories.delete(directory);
    }
}
