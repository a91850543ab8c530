package io.millrace.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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

    /** Creates a file that does not exist yet, with a text that is on the disk when this returns. */
    public static void write(Path file, String text) throws IOException {
        createFile(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Writes a file that replaces any former one; a reader, also one after a crash, sees all of one of them. */
    public static void replace(Path file, String text) throws IOException {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(written);
        write(written, text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        forceEntries(file.resolveSibling("."));
    }

    private static void forceEntries(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // not every file system can do this
        }
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
