package io.millrace.gateway;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real browser. Where none is installed the log says what is not tested, and the test has nothing to run; {@code
 * MILLRACE_BROWSER_TESTS=required} makes that a failure.
 */
final class Chromium {

    private static final Logger LOG = LoggerFactory.getLogger(Chromium.class);
    private static final boolean REQUIRED = "required".equals(System.getenv("MILLRACE_BROWSER_TESTS"));
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int PATIENCE_SECONDS = 120;

    private final Path program;
    private final Path directory;

    private Chromium(Path program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    /** @param directory a place for the profile and the output */
    static Optional<Chromium> find(Path directory, String untested) {
        Optional<Chromium> found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .flatMap(place -> NAMES.stream().map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(program -> new Chromium(program, directory));
        if (found.isEmpty()) {
            if (REQUIRED) {
                throw new AssertionError("Chromium is not installed, and MILLRACE_BROWSER_TESTS=required.");
            }
            LOG.warn("event=browser_tests_not_run untested=\"{}\"", untested);
        }
        return found;
    }

    /** Opens a page with all its scripts and returns its elements as they are when the network is quiet. */
    String open(String url, String... options) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-extensions",
                "--user-data-dir=" + directory.resolve("profile"),
                "--virtual-time-budget=20000",
                "--dump-dom"));
        command.addAll(List.of(options));
        command.add(url);
        try {
            Path output = directory.resolve("dom.html");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(output.toFile())
                    .redirectError(directory.resolve("chromium.log").toFile());
            builder.environment().put("TMPDIR", directory.toString()); // it leaves temporary files behind
            Process browser = builder.start();
            boolean ended = browser.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            browser.destroyForcibly().waitFor();
            if (!ended) {
                throw new AssertionError("Chromium has not ended after %d s.".formatted(PATIENCE_SECONDS));
            }
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
