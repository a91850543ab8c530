package io.millrace.launcher.suite;

import io.millrace.launcher.FileTree;
import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * Makes the class archives of an installation by running it once: the JVM keeps the classes that the services have loaded,
 * linked and profiled until they were ready. An archive is valid only with the Java and the jars that it was made with; a
 * JVM that cannot use one starts without it, in almost twice the time.
 */
public final class ClassArchives {

    private static final int JAVA_WITH_ARCHIVES = 25;

    /** Writing an archive takes some ten seconds of processor time, on a machine that may have other work. */
    private static final Duration WRITE_LIMIT = Duration.ofMinutes(5);

    private ClassArchives() {}

    /**
     * Makes those of the unpacked distribution {@code arguments[0]}: for all services in one process, or, with the argument
     * {@code each}, for each as a process.
     */
    public static void main(String... arguments) {
        SuiteSettings settings =
                new SuiteSettings(new UnpackedDistribution(Path.of(arguments[0]))).say(System.err::println);
        if (arguments.length == 1) {
            settings.oneProcess();
        }
        make(settings);
    }

    /** Returns whether a suite with these settings would make archives. */
    static boolean areMissing(SuiteSettings settings) {
        return Runtime.version().feature() >= JAVA_WITH_ARCHIVES
                && settings.processNames().stream()
                        .anyMatch(name -> !Files.exists(settings.installation.archive(name)));
    }

    /**
     * Makes the archives that a suite with these settings uses, unless it has them or the Java is too old for them. If that
     * fails, the user is told why, and starts stay slower.
     */
    static void ensure(SuiteSettings settings) {
        if (!areMissing(settings)) {
            return;
        }
        settings.say.accept("Preparing quick starts (once after each build) ...");
        long started = System.nanoTime();
        try {
            make(settings);
            settings.say.accept(String.format("Prepared in %.0f s.", (System.nanoTime() - started) / 1e9));
        } catch (LauncherException e) {
            settings.say.accept("Starts stay slower: " + e.getMessage());
        }
    }

    private static void make(SuiteSettings settings) {
        try {
            Path home = settings.installation.archives();
            Path scratch = Files.createTempDirectory(Files.createDirectories(home), "training");
            try {
                Suite.start(settings.forTraining()
                                .freePorts()
                                .data(scratch.resolve("data"))
                                .logs(scratch.resolve("logs"))
                                .recordArchives(scratch))
                        .end(WRITE_LIMIT);
                for (String name : settings.processNames()) {
                    keep(scratch.resolve(name), settings.installation.archive(name));
                }
            } finally {
                FileTree.delete(scratch);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void keep(Path made, Path archive) throws IOException {
        if (!Files.exists(made)) {
            throw new LauncherException("Java wrote no class archive " + archive);
        }
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
