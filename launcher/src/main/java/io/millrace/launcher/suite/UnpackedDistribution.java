package io.millrace.launcher.suite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An unpacked distribution: the programs are at fixed places below {@code lib}, with class archives that were made when it
 * was packed. The archives work wherever it is unpacked, but only with the Java that it contains.
 */
final class UnpackedDistribution implements Installation {

    private final Path programs;

    UnpackedDistribution(Path root) {
        this.programs = programs(root.toAbsolutePath().normalize());
    }

    /** Returns whether a directory holds an unpacked distribution, and not a source tree. */
    static boolean isAt(Path root) {
        return Files.isDirectory(programs(root));
    }

    private static Path programs(Path root) {
        return root.resolve("lib").resolve("services");
    }

    @Override
    public List<String> javaArguments(Service service) {
        return List.of(
                "-XX:AOTCache=" + archive(service),
                // a JVM that cannot use the archive starts without it
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-jar",
                jar(service).toString());
    }

    /** The class archives were made for each service. */
    @Override
    public boolean canShareAProcess() {
        return false;
    }

    @Override
    public List<String> javaArgumentsForAll() {
        throw new IllegalStateException("The services of a distribution do not share a process");
    }

    @Override
    public Path workerHome() {
        return programs.resolveSibling("worker");
    }

    Path archive(Service service) {
        return programs.resolve(service.moduleName() + ".aot");
    }

    Path jar(Service service) {
        return programs.resolve(service.moduleName() + ".jar");
    }
}
