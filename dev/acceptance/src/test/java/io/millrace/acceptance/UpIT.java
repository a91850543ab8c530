package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.gateway.Login;
import io.millrace.testkit.FreePorts;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpIT {

    private static final Pattern SERVICE_STARTED = Pattern.compile("(?m)^time=(\\S+) .* Started \\S+ in ");
    private static final Pattern HOST_WARM = Pattern.compile("(?m)^time=(\\S+) .* event=host_warm .* start_ms=(\\d+)");

    @Test
    void up_terminated_stopsLauncherRedisAndServices() throws Exception {
        Map<String, String> environment = environment();
        try (LauncherProcess up = LauncherProcess.start(environment, "up")) {
            // the first start after a build begins with making the class archive
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> up.output().contains("./millrace demo") || !up.isAlive());
            assertThat(up.output())
                    .contains("\nMillrace is ready after ")
                    .contains("./millrace demo")
                    .doesNotContain("Starts stay slower");
            Path login = Path.of(environment.get("MILLRACE_DATA"), "login");
            String url = "http://127.0.0.1:" + environment.get("MILLRACE_PORT") + "/api/v1/buckets";
            int anonymous = status(url, null);
            int loggedIn = status(url, Login.read(login).orElseThrow());
            // the launcher, Redis, the services, and the worker process that waits for functions
            await().atMost(Duration.ofSeconds(60)).until(() -> up.all().size() == 4);
            List<ProcessHandle> processes = up.all();
            Path log = Path.of(environment.get("MILLRACE_LOG_DIR"), "services.log");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(log).contains("event=host_warm "));

            up.terminate();
            up.awaitExit(90);

            assertThat(up.output())
                    .contains("\nStopping the services and Redis ...")
                    .contains("\nStopped after ");
            assertThat(beginOfWorkerProcess(log)).isAfterOrEqualTo(lastServiceStarted(log));
            assertThat(anonymous).isEqualTo(401);
            assertThat(loggedIn).isEqualTo(200);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(login)))
                    .isEqualTo("rw-------");
            assertThat(up.output())
                    .contains("Administrator, with the password in " + login)
                    .doesNotContain(Login.read(login).orElseThrow().password());
            assertThat(processes).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    void up_onAPortInUse_namesThePortAndExits() throws Exception {
        Map<String, String> environment = environment();
        try (ServerSocket taken = new ServerSocket(0)) {
            environment.put("MILLRACE_EVENTING_PORT", Integer.toString(taken.getLocalPort()));
            try (LauncherProcess up = LauncherProcess.start(environment, "up")) {
                assertThat(up.awaitExit(60)).isEqualTo(1);
                assertThat(up.output()).contains("Ports in use: " + taken.getLocalPort() + " (eventing-service)");
            }
        }
    }

    /** The jars that the script looks for are those that Maven makes; ScriptTest counts builds with a stand-in for Maven. */
    @Test
    void script_onTheJarsOfThisBuild_doesNotBuild() throws Exception {
        Path tree = RunningSuite.scratch("built");
        try (Stream<Path> files = Files.list(Repository.ROOT)) {
            for (Path file : files.filter(path -> !path.getFileName().toString().startsWith("."))
                    .toList()) {
                Files.createSymbolicLink(tree.resolve(file.getFileName()), file);
            }
        }
        Files.createFile(
                Files.createDirectories(tree.resolve(".millrace/launcher/this")).resolve("launcher.jar"));
        Files.writeString(tree.resolve(".millrace/built"), "this\n");

        Process built = new ProcessBuilder("bash", "-c", """
                root=$PWD
                eval "$(sed -n -e '/^modules=/p' -e '/^is_built() {/,/^}/p' millrace)"
                is_built""")
                .directory(tree.toFile())
                .inheritIO()
                .start();

        assertThat(built.waitFor()).isZero();
    }

    private static Instant lastServiceStarted(Path log) throws IOException {
        return SERVICE_STARTED
                .matcher(Files.readString(log))
                .results()
                .map(line -> OffsetDateTime.parse(line.group(1)).toInstant())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Instant beginOfWorkerProcess(Path log) throws IOException {
        Matcher warm = HOST_WARM.matcher(Files.readString(log));
        assertThat(warm.find()).isTrue();
        return OffsetDateTime.parse(warm.group(1)).toInstant().minusMillis(Long.parseLong(warm.group(2)));
    }

    private static Map<String, String> environment() throws IOException {
        Path scratch = RunningSuite.scratch("up");
        Map<String, String> environment = new HashMap<>();
        environment.put("MILLRACE_DATA", scratch.resolve("data").toString());
        environment.put("MILLRACE_LOG_DIR", scratch.resolve("logs").toString());
        FreePorts.set(environment);
        return environment;
    }

    private static int status(String url, @Nullable Login login) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        if (login != null) {
            connection.setRequestProperty("Authorization", login.authorization());
        }
        return connection.getResponseCode();
    }
}
