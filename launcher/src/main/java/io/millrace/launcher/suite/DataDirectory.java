package io.millrace.launcher.suite;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive use of a data directory by one suite. Two Redis servers that append to the same file destroy it, so a
 * second suite is refused. The operating system releases the lock when this JVM ends, however it ends.
 */
final class DataDirectory implements AutoCloseable {

    private static final String LOCK_FILE = "suite.lock";

    private final Path directory;
    private final FileChannel channel;

    private DataDirectory(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Locks a directory, which is created if it does not exist.
     *
     * @param url where this suite can be reached; the refusal of another suite names it
     * @throws LauncherException if another suite uses the directory
     */
    static DataDirectory lock(Path directory, URI url) {
        Path file = directory.resolve(LOCK_FILE);
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new LauncherException("The data directory " + directory + " is in use by the Millrace at "
                        + Files.readString(file).strip()
                        + ". Stop that one with ./millrace stop, or run this one next to it:"
                        + " MILLRACE_DATA=<directory> ./millrace up --port-offset 100");
            }
            channel.truncate(0);
            channel.write(StandardCharsets.UTF_8.encode(
                    url + " (process " + ProcessHandle.current().pid() + ")\n"));
            return new DataDirectory(directory, channel);
        } catch (IOException e) {
            throw new LauncherException("Cannot lock the data directory " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Returns null if another process, or another suite of this JVM, holds the lock. */
    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Tells commands about the suite that uses the directory. */
    void publish(SuiteState state) {
        try {
            state.write(directory);
        } catch (IOException e) {
            throw new LauncherException("Cannot write to the data directory " + directory + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            SuiteState.delete(directory);
            channel.close();
        } catch (IOException e) {
            throw new LauncherException("Cannot release the lock of the data directory", e);
        }
    }
}
