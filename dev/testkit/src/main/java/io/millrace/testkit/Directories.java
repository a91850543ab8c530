package io.millrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Temporary directories below the build directory of the module, deleted when the JVM ends. */
final class Directories {

    private Directories() {}

    static Path temporary(String prefix) {
        try {
            Path parent = Files.createDirectories(Path.of("target", "testkit").toAbsolutePath());
            Path directory = Files.createTempDirectory(parent, prefix + "-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory), "directory-remover"));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes as much as possible: a server that is shutting down may still write. */
    static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // the rest stays in the build directory
        }
    }
}
