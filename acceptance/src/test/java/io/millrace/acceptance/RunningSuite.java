package io.millrace.acceptance;

import io.millrace.launcher.Service;
import io.millrace.launcher.Suite;
import io.millrace.launcher.SuiteSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The suite that the tests of this JVM share, as processes with a Redis of their own; ends with the JVM. */
final class RunningSuite {

    static final Path HOME = Path.of("target/run").toAbsolutePath();

    private static @Nullable Suite suite;

    private RunningSuite() {}

    static synchronized Suite get() {
        if (suite == null) {
            Path scratch = scratch("suite");
            suite = Suite.start(SuiteSettings.of(Repository.ROOT, HOME)
                    .freePorts()
                    .data(scratch.resolve("data"))
                    .logs(scratch.resolve("logs"))
                    .say(System.out::println));
        }
        return suite;
    }

    static URI gateway() {
        return get().url(Service.GATEWAY);
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
