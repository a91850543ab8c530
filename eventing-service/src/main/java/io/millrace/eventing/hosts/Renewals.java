package io.millrace.eventing.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Decides when a worker process is replaced: when it is old, holds much, or was started from another distribution than the
 * present one. Not thread-safe.
 */
final class Renewals {

    /** A process that holds much is replaced at most so often: what its functions keep may be what they need. */
    static final Duration BETWEEN_GROWTHS = Duration.ofHours(1);

    /** How often the distribution is looked at; one that has just changed may not be complete. */
    static final Duration RELEASE_LOOK = Duration.ofMinutes(1);

    private static final long MIB = 1L << 20;

    private final Path home;
    private final HostSettings.Renewal settings;
    private final long heldLimit;
    private final LongSupplier nanos;
    private long lookedAt;
    private String seen = "";
    private String settled = "";

    /**
     * What is known of a process.
     *
     * @param heldBytes the memory that it held after the latest full collection; 0 before the first
     * @param release the distribution from which it was started, as {@link #release} names it
     */
    record Process(Duration age, long heldBytes, String release) {}

    /** @param nanos the time, as {@link System#nanoTime} tells it */
    Renewals(Path home, int heapMib, HostSettings.Renewal settings, LongSupplier nanos) {
        this.home = home;
        this.settings = settings;
        this.heldLimit = heapMib * MIB * settings.heldPercent() / 100;
        this.nanos = nanos;
        this.lookedAt = nanos.getAsLong();
    }

    /** Returns why a process is to be replaced, or nothing when it is not. */
    Optional<String> due(Process process) {
        if (!settings.age().isZero() && process.age().compareTo(settings.age()) >= 0) {
            return Optional.of("age");
        }
        if (heldLimit > 0 && process.heldBytes() > heldLimit && process.age().compareTo(BETWEEN_GROWTHS) >= 0) {
            return Optional.of("growth");
        }
        return settled.isEmpty() || process.release().equals(settled) ? Optional.empty() : Optional.of("release");
    }

    /** Looks at the distribution from time to time. A change counts when two looks have found the same. */
    void look() {
        long now = nanos.getAsLong();
        if (now - lookedAt < RELEASE_LOOK.toNanos()) {
            return;
        }
        lookedAt = now;
        String found = release(home);
        if (found.equals(seen)) {
            settled = found;
        }
        seen = found;
    }

    /** Returns what tells the present distribution from others; "" while it cannot be read. */
    static String release(Path home) {
        List<String> files = new ArrayList<>();
        try {
            for (String part : List.of("lib", "graal")) {
                describe(home.resolve(part), files);
            }
        } catch (IOException unreadable) {
            return "";
        }
        if (files.isEmpty()) {
            return ""; // it is being replaced
        }
        return Integer.toHexString(files.hashCode()) + "-" + files.size();
    }

    private static void describe(Path directory, List<String> files) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.sorted().toList()) {
                BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
                files.add("%s %d %d"
                        .formatted(
                                file.getFileName(),
                                is.size(),
                                is.lastModifiedTime().toMillis()));
            }
        } catch (NoSuchFileException beingReplaced) {
            files.add(beingReplaced.getMessage());
        }
    }
}
