package io.millrace.benchmarks.suite;

import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Starts the suite for a benchmark: on free ports, with data and logs in a new directory. */
public final class FreshSuite {

    /** The name of the administrator. */
    public static final String USER = "Administrator";

    /** The administrator's password. */
    public static final String PASSWORD = "benchmark";

    private FreshSuite() {}

    public static Suite start() throws IOException {
        return start(Files.createTempDirectory("millrace-bench"));
    }

    /** Starts the suite with data and logs below a directory. */
    public static Suite start(Path directory) throws IOException {
        return Suite.start(settings(directory).environment("MILLRACE_ADMIN_PASSWORD", PASSWORD));
    }

    /** Returns the settings of a suite on free ports, with data and logs below a directory. */
    public static SuiteSettings settings(Path directory) {
        Path root = Path.of("").toAbsolutePath();
        return SuiteSettings.of(root, root.resolve(".millrace/run"))
                .freePorts()
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"));
    }
}
