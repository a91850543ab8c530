package io.millrace.acceptance;

import io.millrace.launcher.SuiteSettings;
import java.nio.file.Path;

/** The suite as this build made it, on free ports, with everything it writes below one directory. */
final class BuiltSuite {

    private BuiltSuite() {}

    static SuiteSettings settings(Path directory) {
        return SuiteSettings.of(Repository.ROOT, Repository.ROOT.resolve("acceptance/target/suite"))
                .freePorts()
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"))
                .say(System.out::println);
    }
}
