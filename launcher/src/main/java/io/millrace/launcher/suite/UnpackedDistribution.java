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
        return List.of("-jar", programs.resolve(service.moduleName() + ".jar").toString());
    }

    @Override
    public List<String> javaArgumentsForAll() {
        return JavaCommand.allServicesIn(programs);
    }

    @Override
    public Path archives() {
        return programs;
    }

    @Override
    public Path archive(String process) {
        return programs.resolve(process + ".aot");
    }

    @Override
    public Path workerHome() {
        return programs.resolveSibling("worker");
    }
}
