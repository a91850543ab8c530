package io.millrace.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Files and directories that only their owner may read, from the moment they exist. Windows has no such permissions; there, a
 * directory of the user is private already.
 */
public final class OwnerOnly {

    private OwnerOnly() {}

    /** Creates a file that does not exist yet. */
    public static void createFile(Path file) throws IOException {
        Files.createFile(file, attributes(file, "rw-------"));
    }

    /** Creates a file that does not exist yet, with a text. */
    public static void write(Path file, String text) throws IOException {
        createFile(file);
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }

    /** Creates a directory that does not exist yet; its parents are as usual. */
    public static void createDirectory(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.createDirectory(directory, attributes(directory, "rwx------"));
    }

    /** Returns whether only the owner may use a file. */
    public static boolean is(Path file) {
        try {
            return !Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)
                    || EnumSet.of(
                                    PosixFilePermission.OWNER_READ,
                                    PosixFilePermission.OWNER_WRITE,
                                    PosixFilePermission.OWNER_EXECUTE)
                            .containsAll(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileAttribute<?>[] attributes(Path file, String permissions) throws IOException {
        FileStore store = Files.getFileStore(file.toAbsolutePath().getParent());
        return store.supportsFileAttributeView(PosixFileAttributeView.class)
                ? Set.of(PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)))
                        .toArray(FileAttribute<?>[]::new)
                : new FileAttribute<?>[0];
    }
}
