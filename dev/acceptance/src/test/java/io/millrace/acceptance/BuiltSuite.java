package io.millrace.acceptance;

import io.millrace.launcher.suite.SuiteSettings;
import java.nio.file.Path;

/** The suite as this build made it, on free ports, with everything it writes below one directory. */
final class BuiltSuite {

    /** Where the programs run from: not where a suite that somebody has running does. */
    static final Path HOME = Repository.ROOT.resolve("dev/acceptance/target/suite");

    static final String ADMIN_PASSWORD = "opensesame";

    private BuiltSuite() {}

    static SuiteSettings settings(Path directory) {
        return SuiteSettings.of(Repository.ROOT, HOME)
                .freePorts()
                .environment("MILLRACE_ADMIN_PASSWORD", ADMIN_PASSWORD)
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"))
                .say(System.out::println);
    }
}
