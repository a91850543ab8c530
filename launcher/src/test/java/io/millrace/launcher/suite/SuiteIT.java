package io.millrace.launcher.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Ports;
import io.millrace.launcher.redis.RedisConsole;
import io.millrace.launcher.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite with stand-ins for the services and a real Redis. */
class SuiteIT {

    @TempDir
    Path directory;

    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    private Path programs = Path.of("missing");

    /** A jar, because a class archive cannot be made for a directory of classes. */
    @BeforeEach
    void packStandIns() throws IOException {
        programs = directory.resolve("stand-ins.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(programs));
                Stream<Path> classes = Files.list(compiled())) {
            for (Path file : classes.filter(
                            file -> file.getFileName().toString().startsWith("StandIn"))
                    .toList()) {
                jar.putNextEntry(
                        new JarEntry(StandIn.class.getPackageName().replace('.', '/') + "/" + file.getFileName()));
                Files.copy(file, jar);
            }
        }
    }

    private static Path compiled() {
        try {
            URL here = Objects.requireNonNull(StandIn.class.getResource("."));
            return Path.of(here.toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void start_passesEveryServiceItsPortAndTheAddressesOfTheOthers() throws IOException {
        try (Suite suite = Suite.start(settings())) {
            for (Service service : Service.values()) {
                String environment = read(suite.url(service));

                assertThat(environment)
                        .contains("SERVER_PORT=" + suite.url(service).getPort())
                        .contains("REDIS_URL=" + suite.redisUrl())
                        .contains("MILLRACE_BIND=127.0.0.1")
                        .contains("MILLRACE_METAKV_URL=" + suite.url(Service.METAKV))
                        .contains("MILLRACE_SUBDOC_URL=" + suite.url(Service.SUBDOC))
                        .contains("MILLRACE_EVENTING_URL=" + suite.url(Service.EVENTING))
                        .contains("MILLRACE_WORKER_HOME=" + directory.resolve("worker"));
            }
        }
    }

    @Test
    void close_stopsTheGatewayFirstAndRedisLast() throws IOException {
        Suite suite = Suite.start(settings());
        RedisConsole redis = suite.redisConsole();

        suite.close();

        assertThat(endOf(Service.GATEWAY)).isLessThan(endOf(Service.EVENTING));
        assertThat(endOf(Service.EVENTING)).isLessThan(endOf(Service.SUBDOC));
        assertThat(endOf(Service.EVENTING)).isLessThan(endOf(Service.METAKV));
        assertThat(redis.answers()).isFalse();
        assertThat(directory.resolve("data/redis/redis.log")).content().contains("Redis is now ready to exit");
    }

    @Test
    void end_withAGatewayThatHangs_leavesTimeToTheOtherServices() throws IOException {
        try (Suite suite = Suite.start(settings().environment("STAND_IN_HANGS", Service.GATEWAY.moduleName()))) {
            long started = System.nanoTime();

            suite.end(Duration.ofSeconds(6));

            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(6));
            assertThat(endOf(Service.GATEWAY)).isLessThan(endOf(Service.EVENTING));
            assertThat(endOf(Service.EVENTING)).isLessThan(endOf(Service.SUBDOC));
        }
    }

    @Test
    void kill9_ofAService_restartsItOnTheSamePort() throws Exception {
        try (Suite suite = Suite.start(settings())) {
            long before = suite.pid(Service.EVENTING);

            suite.kill9(Service.EVENTING);
            suite.awaitReady(Service.EVENTING);

            assertThat(suite.pid(Service.EVENTING)).isNotEqualTo(before);
            assertThat(messages).anyMatch(line -> line.startsWith("eventing-service ended unexpectedly"));
        }
    }

    @Test
    void oneProcess_servesAllPortsAndWritesOneLog() throws Exception {
        SuiteSettings settings = settings().oneProcess();
        try (Suite suite = Suite.start(settings)) {
            for (Service service : Service.values()) {
                assertThat(read(suite.url(service))).contains("REDIS_URL=" + suite.redisUrl());
                assertThat(suite.pid(service)).isEqualTo(suite.pid(Service.GATEWAY));
            }
            assertThat(settings.logFile(Service.SUBDOC)).isEqualTo(directory.resolve("logs/services.log"));

            suite.kill9(Service.GATEWAY);
            suite.awaitReady(Service.METAKV);

            assertThat(messages)
                    .filteredOn(line -> line.contains("ended unexpectedly"))
                    .hasSize(1);
        }

        assertThat(settings.logFile(Service.SUBDOC)).content().contains("stopping=");
    }

    @Test
    void archives_areMadeOnceAndUsedByTheNextStart() throws Exception {
        boolean supported = Runtime.version().feature() >= 25;
        SuiteSettings settings = settings().oneProcess().quickStarts();
        assertThat(settings.needsPreparation()).isEqualTo(supported);

        Suite.start(settings).close();

        assertThat(settings.needsPreparation()).isFalse();
        assertThat(directory.resolve("archives/services.aot").toFile().isFile()).isEqualTo(supported);
        try (Suite suite = Suite.start(settings)) {
            assertThat(read(suite.url(Service.GATEWAY))
                            .contains("-XX:AOTCache=" + directory.resolve("archives/services.aot")))
                    .isEqualTo(supported);
        }
        assertThat(messages)
                .filteredOn(line -> line.startsWith("Preparing quick starts"))
                .hasSize(supported ? 1 : 0);
        assertThat(directory.resolve("archives").toFile().list()).hasSize(supported ? 1 : 0);
    }

    @Test
    void archives_thatCannotBeMade_doNotKeepTheSuiteFromStarting() {
        SuiteSettings settings = settings().oneProcess();
        programs = directory.resolve("missing.jar");

        ClassArchives.ensure(settings);

        assertThat(messages).anyMatch(line -> line.startsWith("Starts stay slower: "));
    }

    @Test
    void kill9Redis_restartsItWithItsData() throws IOException {
        try (Suite suite = Suite.start(settings())) {
            suite.redisConsole().call("SET", "k", "v");

            suite.kill9Redis();

            await().until(() -> suite.redisConsole().answers());
            assertThat(suite.redisConsole().call("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void start_withAServiceThatEnds_reportsItsLogAndLeavesNoProcess() throws IOException {
        SuiteSettings settings = settings().environment("STAND_IN_FAILS", "subdoc-service");

        assertThatThrownBy(() -> Suite.start(settings))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("subdoc-service ended before it was ready")
                .hasMessageContaining("exit status was 3")
                .hasMessageContaining("the reason is written here");
        for (Service service : Service.values()) {
            assertThat(Ports.isFree(InetAddress.getLoopbackAddress(), settings.portOf(service)))
                    .isTrue();
        }
        assertThat(directory.resolve("data/redis/redis.log")).content().contains("ready to exit");
    }

    @Test
    void start_onAPortInUse_namesPortServiceAndVariable() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SuiteSettings settings = settings().quickStarts().port(Service.GATEWAY, taken.getLocalPort());

            assertThatThrownBy(() -> Suite.start(settings))
                    .isInstanceOf(LauncherException.class)
                    .hasMessageContaining("Ports in use: " + taken.getLocalPort() + " (ui-gateway)")
                    .hasMessageContaining("MILLRACE_PORT=")
                    .hasMessageContaining(
                            Files.exists(Path.of("/proc/net/tcp"))
                                    ? "(process " + ProcessHandle.current().pid() + "), or choose other ports"
                                    : "Stop the program that uses them")
                    // the ports with the first offsets may be in use as well
                    .hasMessageMatching("(?s).*\\n  \\./millrace up --port-offset \\d+00\\n.*");
            assertThat(messages).noneMatch(line -> line.startsWith("Preparing"));
        }
    }

    @Test
    void start_withSettingsThatCannotWork_saysWhatToSet() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() ->
                        Suite.start(settings().port(Service.SUBDOC, 12_345).kvPort(12_345)))
                .hasMessage("The ports of subdoc-service and of Couchbase SDKs are both 12345;"
                        + " set MILLRACE_SUBDOC_PORT or MILLRACE_KV_PORT to another one");
        assertThatThrownBy(() -> Suite.start(settings().bind("192.0.2.1")))
                .hasMessageStartingWith("MILLRACE_BIND is not an address of this machine: 192.0.2.1");
        assertThatThrownBy(() -> Suite.start(settings().data(file)))
                .hasMessage("Cannot use the data directory " + file + ": " + file
                        + " is not a directory. MILLRACE_DATA names another one");
        assertThatThrownBy(() -> Suite.start(settings().logs(file)))
                .hasMessage("Cannot use the log directory " + file + ": " + file
                        + " is not a directory. MILLRACE_LOG_DIR names another one");
        assertThatThrownBy(() -> Suite.start(settings().redisUrl("127.0.0.1:6379")))
                .hasMessageStartingWith("REDIS_URL is not the URL of a Redis: 127.0.0.1:6379; use redis://host:port");
    }

    /** Services notice that their launcher was killed, and stop in order, which takes a moment. */
    @Test
    void start_afterALauncherWasKilled_waitsForThePortsOfItsServices() throws IOException {
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve("suite.json"), "{\"pid\": 0, \"since\": \"2026-01-01T00:00:00Z\"}");
        try (ServerSocket left = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SuiteSettings settings = settings()
                    .port(Service.GATEWAY, left.getLocalPort())
                    .say(line -> {
                        messages.add(line);
                        if (line.startsWith("Waiting up to 15 s")) {
                            close(left);
                        }
                    });

            try (Suite suite = Suite.start(settings)) {
                assertThat(suite.url(Service.GATEWAY)).hasPort(left.getLocalPort());
            }
            assertThat(messages)
                    .contains("Waiting up to 15 s for ports that an earlier start may have left in use ...");
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void start_onSeveralPortsInUse_namesAllOfThemAndOthersThatAreFree() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SuiteSettings settings =
                    settings().port(Service.SUBDOC, one.getLocalPort()).kvPort(two.getLocalPort());

            assertThatThrownBy(() -> Suite.start(settings))
                    .hasMessageContaining(one.getLocalPort() + " (subdoc-service), " + two.getLocalPort())
                    .hasMessageMatching("(?s).*\\n  MILLRACE_SUBDOC_PORT=\\d+ MILLRACE_KV_PORT=\\d+ ./millrace up")
                    .satisfies(refusal -> Pattern.compile("PORT=(\\d+)")
                            .matcher(refusal.getMessage())
                            .results()
                            .map(found -> Integer.parseInt(found.group(1)))
                            .forEach(port -> assertThat(Ports.isFree(InetAddress.getLoopbackAddress(), port))
                                    .isTrue()));
        }
    }

    @Test
    void start_onADataDirectoryInUse_namesTheOtherSuiteAndStartsNoRedis() throws IOException {
        try (Suite first = Suite.start(settings())) {
            first.redisConsole().call("SET", "k", "v");

            assertThatThrownBy(() -> Suite.start(settings()))
                    .isInstanceOf(LauncherException.class)
                    .hasMessageContaining(
                            directory.resolve("data") + " is in use by the Millrace at " + first.url(Service.GATEWAY))
                    .hasMessageContaining("MILLRACE_DATA=");
            assertThat(first.redisConsole().call("GET", "k")).isEqualTo("v");
        }

        try (Suite second = Suite.start(settings())) {
            assertThat(second.redisConsole().call("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void portOffset_movesEveryPort_andTheStateSaysWhere() throws IOException {
        SuiteSettings settings = settings();
        List<Integer> ports = Stream.of(Service.values()).map(settings::portOf).toList();

        try (Suite suite = Suite.start(settings.portOffset(3))) {
            SuiteState state = SuiteState.find(directory.resolve("data")).orElseThrow();

            assertThat(Stream.of(Service.values())
                            .map(service -> suite.url(service).getPort())
                            .toList())
                    .isEqualTo(ports.stream().map(port -> port + 3).toList());
            assertThat(state.ready()).isTrue();
            assertThat(state.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(state.gateway()).isEqualTo(suite.url(Service.GATEWAY));
            assertThat(state.sdk()).isEqualTo(suite.sdkUrl());
        }

        assertThat(SuiteState.find(directory.resolve("data"))).isEmpty();
    }

    @Test
    void state_ofASuiteThatIsStarting_isFoundBeforeRedisRuns() {
        Path data = directory.resolve("data");
        RedisServer left = RedisServer.start(RedisServer.Settings.durableIn(data.resolve("redis")));
        Queue<Optional<SuiteState>> found = new ConcurrentLinkedQueue<>();

        Suite.start(settings().say(line -> found.add(SuiteState.find(data)))).close();

        assertThat(left.isAlive()).isFalse();
        assertThat(found.poll())
                .as("while the Redis of an earlier start is stopped")
                .hasValueSatisfying(state -> {
                    assertThat(state.pid()).isEqualTo(ProcessHandle.current().pid());
                    assertThat(state.ready()).isFalse();
                });
    }

    @Test
    void state_ofAProcessThatEnded_isNotFound() throws IOException {
        Files.createDirectories(directory.resolve("data"));
        Files.writeString(directory.resolve("data/suite.json"), """
            {"pid": %d, "since": "2020-01-01T00:00:00Z", "ready": true, "services": {}, "sdk": "", "redis": "", "logs": ""}
            """.formatted(
                        ProcessHandle.current().pid()));

        assertThat(SuiteState.find(directory.resolve("data")))
                .as("this process is younger")
                .isEmpty();
    }

    @Test
    void start_afterALauncherThatWasKilled_stopsTheRedisThatItLeft() throws IOException {
        RedisServer left = RedisServer.start(RedisServer.Settings.durableIn(directory.resolve("data/redis")));
        left.console().call("SET", "k", "v");

        try (Suite suite = Suite.start(settings())) {
            assertThat(left.isAlive()).isFalse();
            assertThat(suite.redisConsole().call("GET", "k")).isEqualTo("v");
            assertThat(messages).anyMatch(line -> line.contains("an earlier start left running"));
        }
    }

    @Test
    void start_withAGivenRedis_doesNotStartOne() {
        try (RedisServer given = RedisServer.start(RedisServer.Settings.volatileIn(directory.resolve("given")))) {
            try (Suite suite = Suite.start(settings().redisUrl(given.url()))) {
                assertThat(suite.redisUrl()).isEqualTo(given.url());
            }

            assertThat(given.isAlive()).isTrue();
            assertThat(directory.resolve("data/redis")).doesNotExist();
        }
    }

    @Test
    void start_withAGivenRedisThatIsDown_failsWithoutShowingItsPassword() {
        assertThatThrownBy(() -> Suite.start(settings().redisUrl("redis://:secret@127.0.0.1:1")))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("No Redis answers at REDIS_URL redis://127.0.0.1:1")
                .hasMessageNotContaining("secret");
    }

    private SuiteSettings settings() {
        return new SuiteSettings(new StandIns())
                .freePorts()
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"))
                .say(messages::add);
    }

    private long endOf(Service service) throws IOException {
        String log = Files.readString(directory.resolve("logs").resolve(service.moduleName() + ".log"));
        return Long.parseLong(
                log.substring(log.indexOf("stopping=") + "stopping=".length()).strip());
    }

    private static String read(URI url) throws IOException {
        return new String(url.toURL().openStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }

    private final class StandIns implements Installation {

        @Override
        public List<String> javaArguments(Service service) {
            return List.of("-cp", programs.toString(), StandIn.class.getName(), service.moduleName());
        }

        @Override
        public List<String> javaArgumentsForAll() {
            return List.of("-cp", programs.toString(), StandIn.class.getName());
        }

        @Override
        public Path archives() {
            return directory.resolve("archives");
        }

        @Override
        public Path archive(String process) {
            return archives().resolve(process + ".aot");
        }

        @Override
        public Path workerHome() {
            return directory.resolve("worker");
        }
    }
}
