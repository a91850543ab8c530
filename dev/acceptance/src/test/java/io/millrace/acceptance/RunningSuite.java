package io.millrace.acceptance;

import io.millrace.launcher.suite.AdministratorLogin;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The suite that the tests of this JVM share, with its own Redis; it ends with the JVM. It runs without optimizing compilers,
 * because it does not live long enough to benefit from them.
 */
final class RunningSuite {

    private static @Nullable Suite suite;
    private static final Path DIRECTORY = scratch("suite");

    /** Of the operator: apart from what the suite writes. */
    private static final Path OPERATOR = scratch("operator");

    private RunningSuite() {}

    static synchronized Suite get() {
        if (suite == null) {
            suite = Suite.start(settings(DIRECTORY)
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
                    .environment("MILLRACE_EVENTING_WORKEROPTIMIZED", "false")
                    .environment("MILLRACE_SQL_DRIVERS", drivers().toString())
                    .environment("MILLRACE_SQL_ALLOWED", "127.0.0.1:9," + Neighbors.databaseAddress())
                    .environment("MILLRACE_KAFKA_CLUSTERS", kafkaClusters().toString()));
        }
        return suite;
    }

    /** The services share a process, as on a user's machine; with {@code -Dmillrace.suite=processes} each has its own. */
    private static SuiteSettings settings(Path directory) {
        SuiteSettings settings = BuiltSuite.settings(directory);
        return System.getProperty("millrace.suite", "").equals("processes") ? settings : settings.oneProcess();
    }

    static URI gateway() {
        return get().url(Service.GATEWAY);
    }

    /** Returns what commands need in their environment to use this suite. */
    static Map<String, String> environment() {
        return Map.of(
                "MILLRACE_URL",
                gateway().toString(),
                "MILLRACE_LOGIN",
                AdministratorLogin.file(DIRECTORY.resolve("data")).toString());
    }

    /** Returns where the logs of this suite are. */
    static Path logs() {
        return DIRECTORY.resolve("logs");
    }

    /** Returns the URL of a database that functions may use, but that nothing answers at. */
    static String absentDatabase() {
        return "jdbc:postgresql://127.0.0.1:9/planted";
    }

    /** Returns the directory with the drivers of databases: that of PostgreSQL. */
    private static Path drivers() {
        Path jar = Path.of(URI.create(String.valueOf(org.postgresql.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation())));
        return Objects.requireNonNull(jar.getParent());
    }

    /** Returns the directory with the settings of clusters of Kafka; a test that puts one there removes it. */
    static Path kafkaClusters() {
        return OPERATOR;
    }

    static Path scratch(String name) {
        try {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target").toAbsolutePath()), name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
