package io.millrace.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * npm packages that a test runs, in the versions of a lock file. Without Node, npm or a registry the log says what is not
 * tested, and the test has nothing to run; {@code MILLRACE_NODE_TESTS=required} makes that a failure.
 */
public final class NodePackages {

    private static final Logger LOG = LoggerFactory.getLogger(NodePackages.class);
    private static final boolean REQUIRED = "required".equals(System.getenv("MILLRACE_NODE_TESTS"));
    private static final int INSTALL_SECONDS = 240;
    private static final String LOCK = "package-lock.json";

    private NodePackages() {}

    /**
     * Copies the files of a directory, among them {@code package.json} and {@code package-lock.json}, and installs the
     * packages next to the copies, unless they are installed already.
     *
     * @param untested what is not tested if the packages cannot be installed
     * @return the directory of the copies, or nothing if the packages cannot be installed
     */
    public static Optional<Path> install(Path sources, Path target, String untested)
            throws IOException, InterruptedException {
        Path directory = Files.createDirectories(target.toAbsolutePath());
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.toList()) {
                Files.write(directory.resolve(file.getFileName()), Files.readAllBytes(file));
            }
        }
        if (!succeeds(directory, "node", "--version")) {
            return absent("Node is not installed", untested);
        }
        if (isInstalled(sources.resolve(LOCK), directory.resolve("node_modules/.package-lock.json"))) {
            return Optional.of(directory);
        }
        if (!succeeds(directory, "npm", "--version")) {
            return absent("npm is not installed", untested);
        }
        return succeeds(directory, "npm", "ci", "--no-audit", "--no-fund")
                ? Optional.of(directory)
                : absent("npm cannot install the packages", untested);
    }

    private static boolean isInstalled(Path wanted, Path installed) throws IOException {
        return Files.exists(installed)
                && Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(wanted)) > 0;
    }

    private static Optional<Path> absent(String why, String untested) {
        if (REQUIRED) {
            throw new AssertionError(why + ", and MILLRACE_NODE_TESTS=required.");
        }
        LOG.warn("event=node_tests_not_run untested=\"{}\" reason=\"{}\"", untested, why);
        return Optional.empty();
    }

    private static boolean succeeds(Path directory, String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve(command[0] + ".log").toFile())
                    .start();
            boolean ended = process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            return ended && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // the program does not exist
        }
    }
}
