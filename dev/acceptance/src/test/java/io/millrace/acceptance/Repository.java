package io.millrace.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of this repository, without the files that a build or a run creates. */
final class Repository {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Set<String> MADE = Set.of("target", ".git", ".millrace", "data", "logs", "node_modules");

    private Repository() {}

    static List<Path> files(String extension) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return MADE.contains(directory.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.getFileName().toString().endsWith(extension)) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(null);
        return files;
    }

    /** Every module: a directory with a pom below the root, {@code libs} or {@code dev}. */
    static List<Path> modules() {
        return Stream.of(ROOT, ROOT.resolve("libs"), ROOT.resolve("dev"))
                .flatMap(parent -> modulesIn(parent).stream())
                .toList();
    }

    /**
     * The directory of the module with this name.
     *
     * @throws IllegalArgumentException when there is no such module
     */
    static Path module(String name) {
        return modules().stream()
                .filter(module -> module.getFileName().toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no module " + name));
    }

    private static List<Path> modulesIn(Path parent) {
        try (Stream<Path> directories = Files.list(parent)) {
            return directories
                    .filter(directory -> Files.exists(directory.resolve("pom.xml")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the path relative to the root. */
    static String name(Path file) {
        return ROOT.relativize(file).toString();
    }
}
