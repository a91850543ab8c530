package io.millrace.launcher;

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

/** Finds the administrator's password where the service that has made it says it once: in its log. */
final class FirstPassword {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Pattern LINE = Pattern.compile("event=administrator-created name=(\\S+) password=(\\S+)");

    private final Path log;
    private final long known;

    /** Looks behind what the log holds now. */
    FirstPassword(Path log) throws IOException {
        this.log = log;
        this.known = Files.exists(log) ? Files.size(log) : 0;
    }

    /** Tells the name and the password when there are any, from a thread of its own, which gives up after a while. */
    void tell(Consumer<String> listener) {
        Thread.ofVirtual().name("first-password").start(() -> {
            long end = System.nanoTime() + PATIENCE.toNanos();
            Optional<String> found = find();
            while (found.isEmpty() && System.nanoTime() < end) {
                LockSupport.parkNanos(POLL.toNanos());
                found = find();
            }
            found.ifPresent(listener);
        });
    }

    /** Returns the sentence for people, or nothing as long as the log does not say it. */
    Optional<String> find() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long size = file.length();
            long from = size < known ? 0 : known; // a long log has been set aside
            byte[] bytes = new byte[Math.toIntExact(size - from)];
            file.seek(from);
            file.readFully(bytes);
            Matcher line = LINE.matcher(new String(bytes, StandardCharsets.UTF_8));
            return line.find()
                    ? Optional.of("The administrator for Couchbase SDKs is %s, the password %s. It is not shown again."
                            .formatted(line.group(1), line.group(2)))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
