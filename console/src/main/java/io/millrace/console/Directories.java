package io.millrace.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Copies and deletes directories. */
final class Directories {

    private Directories() {}

    /** Makes {@code to} the same as {@code from}. */
    static void copy(Path from, Path to) throws IOException {
        delete(to);
        for (Path file : files(from)) {
            Path copy = to.resolve(from.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> found = Files.walk(directory)) {
            return found.filter(Files::isRegularFile).sorted().toList();
        }
    }

    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
