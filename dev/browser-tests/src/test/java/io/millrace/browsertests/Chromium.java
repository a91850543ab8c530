package io.millrace.browsertests;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.SessionNotCreatedException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/** The installed browser with its driver; one runs for all tests, until {@link #end}. */
final class Chromium {

    static final Path PICTURES = Path.of("target", "pictures").toAbsolutePath();

    private static final Logger LOG = LoggerFactory.getLogger(Chromium.class);
    private static final boolean REQUIRED = "required".equals(System.getenv("MILLRACE_BROWSER_TESTS"));
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");
    private static final List<String> DRIVERS = List.of("chromedriver");

    /** Where continuous integration has a driver that is not on the path. */
    private static final String DRIVER_DIRECTORY_VARIABLE = "CHROMEWEBDRIVER";

    private static @Nullable Optional<Browser> shared;

    /** The temporary files of the browser and its driver, which leave some behind; a short path, as sockets are among them. */
    private static @Nullable Path temporary;

    private Chromium() {}

    /** Returns the browser of all tests, with the suite behind it; empty where none is installed. */
    static synchronized Optional<Browser> shared() {
        if (shared == null) {
            shared = start();
            if (shared.isEmpty()) {
                if (REQUIRED) {
                    throw new AssertionError(
                            "Chromium and chromedriver of the same version are not installed, and MILLRACE_BROWSER_TESTS=required.");
                }
                LOG.warn("event=browser_tests_not_run untested=\"the console against a running suite\"");
            }
        }
        return shared;
    }

    /** Ends the browser, its driver and its profile; a JVM that exits would not wait for them. */
    static synchronized void end() {
        if (shared != null) {
            shared.ifPresent(Browser::quit);
            shared = null;
        }
        Path left = temporary;
        if (left != null) {
            temporary = null;
            // processes of the browser may still be ending, and write
            await().ignoreExceptions().until(() -> {
                FileSystemUtils.deleteRecursively(left);
                return Files.notExists(left);
            });
        }
    }

    private static Optional<Browser> start() {
        Optional<Path> program = find(BROWSERS);
        Optional<Path> driver = find(DRIVERS);
        if (program.isEmpty() || driver.isEmpty()) {
            return Optional.empty();
        }
        String origin = Store.shared().origin(); // before the browser, which would be left if the suite does not start
        ChromeDriver started;
        try {
            started = new ChromeDriver(
                    new ChromeDriverService.Builder()
                            .usingDriverExecutable(driver.get().toFile())
                            .withEnvironment(Map.of("TMPDIR", temporaryFiles()))
                            .build(),
                    options(program.get()));
        } catch (SessionNotCreatedException e) {
            LOG.warn("event=browser_not_started program={} driver={}", program.get(), driver.get(), e);
            return Optional.empty();
        }
        try {
            return Optional.of(new Browser(started, origin));
        } catch (RuntimeException e) {
            started.quit(); // end() does not know it yet
            throw e;
        }
    }

    private static String temporaryFiles() {
        try {
            temporary = Files.createTempDirectory("browser");
            return temporary.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChromeOptions options(Path program) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--lang=en-US");
        options.setCapability("goog:loggingPrefs", logs);
        return options;
    }

    private static Optional<Path> find(List<String> names) {
        String directories = System.getenv("PATH")
                + File.pathSeparator
                + Optional.ofNullable(System.getenv(DRIVER_DIRECTORY_VARIABLE)).orElse("");
        return Stream.of(directories.split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .flatMap(directory -> names.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
