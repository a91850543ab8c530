package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.ClusterOptions;
import com.couchbase.client.java.env.ClusterEnvironment;
import com.couchbase.client.java.json.JsonObject;
import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.tls.ClientTls;
import io.millrace.testkit.FreePorts;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpIT {

    private static final Pattern SERVICE_STARTED = Pattern.compile("(?m)^time=(\\S+) .* Started \\S+ in ");
    private static final Pattern HOST_WARM = Pattern.compile("(?m)^time=(\\S+) .* event=host_warm .* start_ms=(\\d+)");

    @Test
    void upWithTls_terminated_stopsLauncherRedisAndServices() throws Exception {
        Map<String, String> environment = environment();
        try (LauncherProcess up = LauncherProcess.start(environment, "up", "--tls")) {
            // the first start after a build begins with making the class archive
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> up.output().contains("./millrace demo") || !up.isAlive());
            assertThat(up.output())
                    .contains("\nMillrace is ready after ")
                    .contains("./millrace demo")
                    .doesNotContain("Starts stay slower");
            Path login = Path.of(environment.get("MILLRACE_DATA"), "login");
            Login administrator = Login.read(login).orElseThrow();
            String url = "https://127.0.0.1:" + environment.get("MILLRACE_PORT");
            int anonymous = status(url, administrator, null);
            int loggedIn = status(url, administrator, administrator.authorization());
            int ownPage = ownPage(url, administrator);
            writeBySdk("couchbases://127.0.0.1:" + environment.get("MILLRACE_KV_TLS_PORT"), administrator);
            int shown = run(environment, "status");
            int examined = run(environment, "doctor");
            // the launcher, Redis, the services, and the worker process that waits for functions
            await().atMost(Duration.ofSeconds(60)).until(() -> up.all().size() == 4);
            List<ProcessHandle> processes = up.all();
            Path log = Path.of(environment.get("MILLRACE_LOG_DIR"), "services.log");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(log).contains("event=host_warm "));

            up.terminate();
            up.awaitExit(90);

            // one that has ended is there until it is taken note of by what started it, or by the system
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(processes).noneMatch(ProcessHandle::isAlive));
            assertThat(up.output())
                    .contains("\nStopping the services and Redis ...")
                    .contains("\nStopped after ");
            assertThat(beginOfWorkerProcess(log)).isAfterOrEqualTo(lastServiceStarted(log));
            assertThat(anonymous).isEqualTo(401);
            assertThat(loggedIn).isEqualTo(200);
            assertThat(ownPage).as("a POST of a page of the gateway").isEqualTo(201);
            assertThat(shown).as("./millrace status").isZero();
            assertThat(examined).as("./millrace doctor").isZero();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(login)))
                    .isEqualTo("rw-------");
            assertThat(up.output())
                    .contains("Administrator, with the password in " + login)
                    .contains("console         " + url)
                    .contains("couchbases://127.0.0.1:" + environment.get("MILLRACE_KV_TLS_PORT"))
                    .doesNotContain(administrator.password());
            assertThat(log)
                    .as("the log of the services")
                    .content()
                    .doesNotContain(administrator.password())
                    .doesNotContain("level=WARN", "level=ERROR");
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
            is_built\
            """)
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
        Map<String, String> environment = new HashMap<>(BuiltSuite.WITHOUT_OPTIMIZING);
        environment.put("MILLRACE_DATA", scratch.resolve("data").toString());
        environment.put("MILLRACE_LOG_DIR", scratch.resolve("logs").toString());
        FreePorts.set(environment);
        return environment;
    }

    private static int run(Map<String, String> environment, String command) throws Exception {
        try (LauncherProcess process = LauncherProcess.start(environment, command)) {
            int exit = process.awaitExit(120);
            assertThat(process.output()).as(command).doesNotContain("not trusted");
            return exit;
        }
    }

    /** Sends what a page of the gateway itself sends: with its origin and a body of JSON. */
    private static int ownPage(String url, Login login) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/buckets/safe"))
                .PUT(HttpRequest.BodyPublishers.ofString("{}"))
                .header("Content-Type", "application/json")
                .header("Origin", url)
                .header("Sec-Fetch-Site", "same-origin")
                .header("Authorization", login.authorization())
                .build();
        return client(login)
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void writeBySdk(String seeds, Login login) {
        ClusterEnvironment environment = ClusterEnvironment.builder()
                .securityConfig(security ->
                        security.enableTls(true).trustCertificate(Objects.requireNonNull(login.authority())))
                .build();
        ClusterOptions options =
                ClusterOptions.clusterOptions(login.user(), login.password()).environment(environment);
        try (Cluster cluster = Cluster.connect(seeds, options)) {
            cluster.bucket("safe").waitUntilReady(Duration.ofSeconds(60));
            cluster.bucket("safe").defaultCollection().upsert("a", JsonObject.create());
        } finally {
            environment.shutdown();
        }
    }

    private static int status(String url, Login trusted, @Nullable String authorization) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/api/v1/buckets"));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return client(trusted)
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpClient client(Login trusted) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(ClientTls.trusting(Objects.requireNonNull(trusted.authority())))
                .build();
    }
}
