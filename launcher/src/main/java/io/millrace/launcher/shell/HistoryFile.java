package io.millrace.launcher.shell;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** The file with the statements that the user typed, which only the user can read: statements contain data. */
final class HistoryFile {

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNERS_DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private HistoryFile() {}

    /** Returns the default place, in the directory that the user's system keeps such state in. */
    static Path of(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        Path directory = state.isBlank()
                ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", ".")), ".local", "state")
                : Path.of(state);
        return directory.resolve("millrace").resolve("query_history");
    }

    /** Creates the file, or takes it away from other users. */
    static void secure(Path file) {
        try {
            boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null && !Files.isDirectory(directory)) {
                Files.createDirectories(directory);
                if (posix) {
                    Files.setPosixFilePermissions(directory, OWNERS_DIRECTORY);
                }
            }
            if (posix) {
                create(file);
                Files.setPosixFilePermissions(file, OWNER);
            }
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot create " + file + " for the history; set XDG_STATE_HOME to a directory"
                            + " that you may write to",
                    e);
        }
    }

    private static void create(Path file) throws IOException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
        } catch (FileAlreadyExistsException e) {
            // the history of earlier sessions
        }
    }
}
