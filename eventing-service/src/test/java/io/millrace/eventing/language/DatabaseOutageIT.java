package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentStore;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.testkit.OwnRedis;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.node.ObjectNode;

/** A PostgreSQL that dies in the middle of a backlog. */
@SpringBootTest(
        classes = HandlerLanguageIT.Fixture.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.log-dir=target/test-logs",
            "millrace.node-id=outage",
            "millrace.eventing.worker-optimized=false",
            "millrace.eventing.worker-heap-mib=192",
            "millrace.eventing.spare-worker-processes=0",
            "server.address=127.0.0.1"
        })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabaseOutageIT extends KitClient {

    private static final int CHANGES = 2000;
    private static final int PORT = freePort();
    private static final String URL = "jdbc:postgresql://127.0.0.1:" + PORT + "/postgres";
    private static final Path DIRECTORY =
            Path.of("target").resolve("postgres-" + PORT).toAbsolutePath();

    @Autowired
    private DocumentStore documents;

    @LocalServerPort
    private int port;

    private EmbeddedPostgres server;

    DatabaseOutageIT() throws IOException {
        Path jar = Path.of(URI.create(String.valueOf(org.postgresql.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation())));
        Files.createDirectories(DIRECTORY.resolve("drivers"));
        Files.copy(jar, DIRECTORY.resolve("drivers").resolve("postgresql.jar"));
        server = start();
    }

    /** With a Redis of its own, so that its service meets no other; it ends with the JVM, after the service. */
    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        OwnRedis redis = OwnRedis.startVolatile();
        properties.add("spring.data.redis.url", redis::url);
        properties.add("millrace.sql.allowed", () -> "127.0.0.1:" + PORT);
        properties.add(
                "millrace.sql.drivers", () -> DIRECTORY.resolve("drivers").toString());
        properties.add("millrace.secrets.master-key", () -> "00".repeat(32));
        properties.add(
                "millrace.worker-home",
                () -> WorkerLauncher.developmentHome(Path.of("")).toString());
    }

    @Override
    int port() {
        return port;
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(DIRECTORY.resolve("data"))
                .setCleanDataDirectory(false)
                .setServerConfig("synchronous_commit", "on") // what was committed must survive its death
                .setServerConfig("fsync", "on")
                .setPort(PORT)
                .start();
    }

    /** As by kill -9. */
    private static void kill() throws IOException {
        String pid =
                Files.readAllLines(DIRECTORY.resolve("data/postmaster.pid")).getFirst();
        ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
        List<ProcessHandle> all = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().join();
        all.forEach(each -> each.onExit().join());
    }

    private static long asked(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL, "postgres", "postgres");
                Statement run = connection.createStatement()) {
            if (!run.execute(statement)) {
                return run.getUpdateCount();
            }
            try (ResultSet rows = run.getResultSet()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    @BeforeAll
    void create() throws SQLException {
        for (String bucket : List.of("kit-src", "kit-dst", "kit-meta", "kit-results")) {
            documents.catalog().createBucket(bucket, 1).join();
        }
        asked("CREATE TABLE handled (id text PRIMARY KEY, times int NOT NULL)");
    }

    @AfterAll
    void close() throws IOException {
        server.close();
    }

    @Test
    void killedDatabase_delaysItsBacklogAndLosesNothing() throws Exception {
        ObjectNode definition = KitDefinition.of(
                "stores",
                """
                function OnUpdate(doc, meta) {
                  sql(crm, 'INSERT INTO handled VALUES (:id, 1) ON CONFLICT (id) DO UPDATE SET times = handled.times + 1',
                      {id: meta.id});
                }
                """,
                Map.of("retries", 20, "retry_pause", 200, "retry_longest_pause", 1000, "dead_letters", 1000),
                "http://127.0.0.1:1");
        ((ObjectNode) definition.path("depcfg"))
                .putArray("sql")
                .addObject()
                .put("value", "crm")
                .put("url", URL)
                .put("username", "postgres")
                .put("password", "postgres");
        deploy("stores", definition);
        for (int i = 0; i < CHANGES; i++) {
            documents.write(KitSource.write("order-" + i, "{}")).join();
        }
        await().atMost(PATIENCE).until(() -> asked("SELECT count(*) FROM handled") > 0);

        kill();
        documents.write(KitSource.write("order-late", "{}")).join();
        await().atMost(PATIENCE).until(() -> statistic("stores", "failure_stats", "sql_failure_count") > 0);
        server.close(); // gives the lock on the directory back
        server = start();

        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .ignoreException(SQLException.class)
                .until(() -> asked("SELECT count(*) FROM handled") == CHANGES + 1);
        assertThat(statistic("stores", "event_processing_stats", "retry_counter"))
                .isPositive();
        assertThat(statistic("stores", "event_processing_stats", "dead_letter_counter"))
                .isZero();
        undeploy("stores");
    }
}
