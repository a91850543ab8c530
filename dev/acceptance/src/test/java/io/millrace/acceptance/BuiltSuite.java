package io.millrace.acceptance;

import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.suite.SuiteSettings;
import java.nio.file.Path;
import java.util.Map;

/** The suite of this build on free ports, with all its files below one directory. */
final class BuiltSuite {

    /** The directory that the programs run from; different from that of {@code ./millrace up}, which may be running. */
    static final Path HOME = Repository.ROOT.resolve("dev/acceptance/target/suite");

    static final String ADMIN_PASSWORD = "opensesame";

    static final Login LOGIN = new Login("Administrator", ADMIN_PASSWORD);

    /**
     * What a command needs in its environment so that the processes that it starts do without optimizing compilers, which cost
     * more than they give where a suite ends after some seconds.
     */
    static final Map<String, String> WITHOUT_OPTIMIZING =
            Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1", "MILLRACE_EVENTING_WORKEROPTIMIZED", "false");

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
