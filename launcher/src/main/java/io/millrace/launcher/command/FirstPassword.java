package io.millrace.launcher.command;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the generated password of the administrator, which subdoc-service writes to its log once. */
final class FirstPassword {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Pattern LINE = Pattern.compile("event=administrator_created name=(\\S+) password=(\\S+)");

    /** The user that was created, and the password, which the log contains only once. */
    record Found(String user, String password) {}

    private final Path log;
    private final long known;

    /** Looks only at lines appended after this call. */
    FirstPassword(Path log) throws IOException {
        this.log = log;
        this.known = Files.exists(log) ? Files.size(log) : 0;
    }

    /** Passes user and password to the listener, from another thread, if they appear within a minute. */
    void onFound(Consumer<Found> listener) {
        Thread.ofVirtual().name("first-password").start(() -> {
            long end = System.nanoTime() + PATIENCE.toNanos();
            Optional<Found> found = find();
            while (found.isEmpty() && System.nanoTime() < end) {
                LockSupport.parkNanos(POLL.toNanos());
                found = find();
            }
            found.ifPresent(listener);
        });
    }

    /** Returns user and password, or empty if the log does not contain the password yet. */
    Optional<Found> find() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long size = file.length();
            long from = size < known ? 0 : known; // the log was rotated
            byte[] bytes = new byte[Math.toIntExact(size - from)];
            file.seek(from);
            file.readFully(bytes);
            Matcher line = LINE.matcher(new String(bytes, StandardCharsets.UTF_8));
            return line.find() ? Optional.of(new Found(line.group(1), line.group(2))) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
