package io.millrace.launcher.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.launcher.FileTree;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Ports;
import io.millrace.launcher.tls.CertificateAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerIT {

    @TempDir
    Path directory;

    @Test
    void start_onAFreePort_answersAsTheProcessStarted() throws IOException {
        try (RedisServer server = RedisServer.start(RedisServer.Settings.volatileIn(directory))) {
            assertThat(server.console().call("PING")).isEqualTo("PONG");
            assertThat(server.console().call("INFO", "server")).contains("process_id:" + server.pid());
            assertThat(server.console().call("CONFIG", "GET", "hash-max-listpack-value"))
                    .endsWith("4096");
            assertThat(server.url()).isEqualTo("redis://127.0.0.1:" + server.port());
        }
    }

    @Test
    void stopLeftOver_inACopyOfTheDirectory_leavesTheServerOfTheOriginalAlone() throws IOException {
        Path original = Files.createDirectory(directory.resolve("original"));
        try (RedisServer server = RedisServer.start(RedisServer.Settings.volatileIn(original))) {
            FileTree.copy(original, directory.resolve("copy"));

            RedisServer.stopLeftOver(directory.resolve("copy"), line -> {});

            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void console_overTls_trustsTheAuthorityAndShowsItsCertificate() throws IOException {
        CertificateAuthority authority = CertificateAuthority.create(directory);
        CertificateAuthority.Pair redis = authority.forServer("redis", List.of("ip:127.0.0.1"));
        CertificateAuthority.Pair user = authority.forUser("console");
        int port = Ports.free();
        Map<String, String> settings = Map.of(
                "tls-port", Integer.toString(port),
                "tls-cert-file", redis.certificate().toString(),
                "tls-key-file", redis.key().toString(),
                "tls-ca-cert-file", authority.certificate().toString());
        Map<String, String> files = Map.of(
                "MILLRACE_REDIS_CA", authority.certificate().toString(),
                "MILLRACE_REDIS_CERTIFICATE", user.certificate().toString(),
                "MILLRACE_REDIS_KEY", user.key().toString());
        Map<String, String> onlyAuthority =
                Map.of("MILLRACE_REDIS_CA", authority.certificate().toString());
        try (RedisServer server = RedisServer.start(
                RedisServer.Settings.volatileIn(directory.resolve("redis")).with(settings))) {
            assertThat(overTls("127.0.0.1", port, files).call("PING")).isEqualTo("PONG");
            assertThat(overTls("127.0.0.1", port, onlyAuthority).answers()).isFalse();
            assertThat(overTls("127.0.0.1", port, Map.of()).answers()).isFalse();
            assertThat(overTls("localhost", port, files).answers())
                    .as("a host that the certificate does not name")
                    .isFalse();
            assertThat(server.console().answers()).isTrue();
        }
    }

    private static RedisConsole overTls(String host, int port, Map<String, String> environment) {
        return new RedisConsole("rediss://" + host + ":" + port, Duration.ofSeconds(20), environment::get);
    }

    @Test
    void stop_endsTheProcess() {
        RedisServer server = RedisServer.start(RedisServer.Settings.volatileIn(directory));
        long pid = server.pid();

        server.stop();

        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(server.console().answers()).isFalse();
    }

    @Test
    void restart_afterKill9OfADurableServer_keepsPortAndData() throws IOException {
        try (RedisServer server =
                RedisServer.start(RedisServer.Settings.durableIn(directory).with(Map.of("appendfsync", "always")))) {
            int port = server.port();
            server.console().call("SET", "k", "v");
            server.kill9();
            assertThat(server.isAlive()).isFalse();

            server.restart();

            assertThat(server.port()).isEqualTo(port);
            assertThat(server.console().call("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void start_ofAServerThatLoadsForLongerThanItMayTakeToAnswer_waits() throws IOException {
        Duration limit = Duration.ofMillis(500);
        RedisServer.Settings settings = RedisServer.Settings.durableIn(directory);
        try (RedisServer server = RedisServer.start(settings)) {
            server.console().call("EVAL", "for i = 1, 4096 do redis.call('SET', i, i) end", "0");
        }
        // a millisecond for each key
        RedisServer.Settings slow =
                settings.with(Map.of("key-load-delay", "1000")).withStartLimit(limit);
        long began = System.nanoTime();

        try (RedisServer server = RedisServer.start(slow)) {
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(limit.multipliedBy(4));
            assertThat(server.console().call("DBSIZE")).isEqualTo("4096");
        }
    }

    @Test
    void restart_afterKill9OfAVolatileServer_forgets() throws IOException {
        try (RedisServer server = RedisServer.start(RedisServer.Settings.volatileIn(directory))) {
            server.console().call("SET", "k", "v");
            server.kill9();

            server.restart();

            assertThat(server.console().call("EXISTS", "k")).isEqualTo("0");
        }
    }

    @Test
    void start_onAPortInUse_namesThePort(@TempDir Path other) {
        try (RedisServer first = RedisServer.start(RedisServer.Settings.volatileIn(directory))) {
            RedisServer.Settings same = RedisServer.Settings.volatileIn(other).withPort(first.port());

            assertThatThrownBy(() -> RedisServer.start(same))
                    .isInstanceOf(LauncherException.class)
                    .hasMessageContaining("Port " + first.port() + " is in use");
        }
    }

    @Test
    void start_withASettingThatRedisRefuses_showsItsLog() {
        RedisServer.Settings wrong = RedisServer.Settings.volatileIn(directory).with(Map.of("maxmemory", "much"));

        assertThatThrownBy(() -> RedisServer.start(wrong))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("maxmemory");
    }

    @Test
    void call_thatRedisRefuses_throwsItsMessage() {
        try (RedisServer server = RedisServer.start(RedisServer.Settings.volatileIn(directory))) {
            assertThatThrownBy(() -> server.console().call("NOSUCH"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("unknown command");
        }
    }
}
