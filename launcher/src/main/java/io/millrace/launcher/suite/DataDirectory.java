package io.millrace.launcher.suite;

import io.millrace.launcher.FileFailure;
import io.millrace.launcher.FileTree;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.redis.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive use of a data directory by one suite. Two Redis servers that append to the same file destroy it, so a
 * second suite is refused. The operating system releases the lock when this JVM ends, however it ends.
 */
public final class DataDirectory implements AutoCloseable {

    private static final String LOCK_FILE = "suite.lock";

    private final Path directory;
    private final FileChannel channel;
    private final boolean leftBehind;

    private DataDirectory(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
        this.leftBehind = SuiteState.isLeftIn(directory);
    }

    /**
     * Locks a directory, which is created if it does not exist.
     *
     * @param url where this suite can be reached; the refusal of another suite names it
     * @throws LauncherException if another suite uses the directory
     */
    static DataDirectory lock(Path directory, URI url) {
        try {
            Files.createDirectories(directory);
            return lock(
                    directory,
                    "the Millrace at " + url,
                    ". Stop that one with ./millrace stop, or run this one next to it:"
                            + " MILLRACE_DATA=<directory> ./millrace up --port-offset 100");
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot use the data directory " + directory + ": " + FileFailure.of(e)
                            + ". MILLRACE_DATA names another one",
                    e);
        }
    }

    /** Returns whether a suite has used a directory. */
    public static boolean isOne(Path directory) {
        return Files.exists(directory.resolve(LOCK_FILE));
    }

    /**
     * Deletes what a suite has written to a directory, and stops the Redis that a killed launcher left running there. The lock
     * file stays: a suite that has opened it meanwhile would otherwise lock a deleted file, and a further one the new file.
     *
     * @throws LauncherException if a suite uses the directory
     */
    public static void clear(Path directory, Consumer<String> say) throws IOException {
        try (DataDirectory data = lock(directory, "./millrace reset", ". Stop it first: ./millrace stop")) {
            RedisServer.stopLeftOver(directory.resolve("redis"), say);
            List<Path> contents;
            try (Stream<Path> listed = Files.list(data.directory)) {
                contents = listed.filter(path -> !path.endsWith(LOCK_FILE)).toList();
            }
            contents.forEach(FileTree::delete);
        }
    }

    /**
     * Locks a directory that exists.
     *
     * @param user who is named to those that are refused from now on
     * @param advice what to do if another one uses the directory
     */
    private static DataDirectory lock(Path directory, String user, String advice) throws IOException {
        Path file = directory.resolve(LOCK_FILE);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new LauncherException("The data directory " + directory + " is in use by "
                    + Files.readString(file).strip() + advice);
        }
        channel.truncate(0);
        channel.write(StandardCharsets.UTF_8.encode(
                user + " (process " + ProcessHandle.current().pid() + ")\n"));
        return new DataDirectory(directory, channel);
    }

    /** Returns null if another process, or another suite of this JVM, holds the lock. */
    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Returns whether the suite before was killed: one that ends in order takes its state with it. */
    boolean isLeftBehind() {
        return leftBehind;
    }

    /** Tells commands about the suite that uses the directory. */
    void publish(SuiteState state) {
        try {
            state.write(directory);
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot write to the data directory " + directory + ": " + FileFailure.of(e), e);
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
