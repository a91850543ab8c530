package io.millrace.eventing.applog;

import io.millrace.eventing.runtime.LogSink;
import io.millrace.workerprotocol.LogLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of all functions on this node. The thread that appends lines writes them before {@link #append} returns, so
 * no queue can grow. If the disk cannot be written, lines are lost and counted, and functions keep running.
 */
public final class FunctionLogs implements LogSink, AutoCloseable {

    /** The most bytes that one request can read. */
    public static final int MAX_READ_BYTES = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(FunctionLogs.class);
    private static final int LOST_LINES_PER_REPORT = 10_000;

    /** A function's log and the lock under which it is used. */
    private static final class Slot {
        private final List<Consumer<WrittenLine>> followers = new CopyOnWriteArrayList<>();
        private LogPolicy policy = LogPolicy.STANDARD;
        private @Nullable LogFile file;
    }

    private final Path directory;
    private final Map<String, Slot> slots = new ConcurrentHashMap<>();
    private final AtomicLong lost = new AtomicLong();

    /** @param directory where the files are; made when the first line is written */
    public FunctionLogs(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    public Path directory() {
        return directory;
    }

    /** Returns how many lines could not be written since the service started. */
    public long lostLines() {
        return lost.get();
    }

    /** Sets how a function's log is kept from now on. */
    public void configure(String function, LogPolicy policy) {
        Slot slot = slot(function);
        synchronized (slot) {
            if (policy.equals(slot.policy)) {
                return;
            }
            try {
                boolean moved = !policy.folder().equals(slot.policy.folder());
                slot.policy = policy;
                if (slot.file != null && moved) {
                    slot.file.close();
                    slot.file = null;
                } else if (slot.file != null) {
                    slot.file.setPolicy(policy);
                }
            } catch (IOException failure) {
                LOG.warn("event=log_not_reconfigured function={} reason=\"{}\"", function, failure.getMessage());
            }
        }
    }

    @Override
    public void append(String function, List<LogLine> lines) {
        Slot slot = slot(function);
        synchronized (slot) {
            List<WrittenLine> kept = lines.stream()
                    .filter(line -> LogText.wanted(line.level(), slot.policy.level()))
                    .map(line -> new WrittenLine(line, line.version() == 0 ? slot.policy.version() : line.version()))
                    .toList();
            slot.followers.forEach(kept::forEach);
            List<byte[]> wanted = kept.stream()
                    .map(line -> LogText.bytes(line, slot.policy.json()))
                    .toList();
            if (wanted.isEmpty()) {
                return;
            }
            try {
                file(function, slot).write(wanted);
            } catch (IOException | UncheckedIOException failure) {
                lose(function, wanted.size(), failure);
            }
        }
    }

    private LogFile file(String function, Slot slot) {
        if (slot.file == null) {
            slot.file = new LogFile(path(function, slot.policy), slot.policy);
        }
        return slot.file;
    }

    private void lose(String function, int lines, Exception failure) {
        long before = lost.getAndAdd(lines);
        if (before == 0 || before / LOST_LINES_PER_REPORT != (before + lines) / LOST_LINES_PER_REPORT) {
            LOG.error(
                    "event=log_lines_lost function={} lines={} reason=\"{}\"",
                    function,
                    before + lines,
                    failure.toString());
        }
    }

    /**
     * Calls a follower with every line that is written from now on, on the writing thread, until the result is run. The
     * follower must not block or throw.
     */
    public Runnable follow(String function, Consumer<WrittenLine> follower) {
        List<Consumer<WrittenLine>> followers = slot(function).followers;
        followers.add(follower);
        return () -> followers.remove(follower);
    }

    /** Returns the newest lines of a function's log, newest first, up to this many bytes. */
    public String newestFirst(String function, int maxBytes) {
        Slot slot = slot(function);
        int limit = Math.clamp(maxBytes, 1, MAX_READ_BYTES);
        synchronized (slot) {
            try {
                return LogFile.newestFirst(path(function, slot.policy), slot.policy.maxFiles(), limit);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Deletes a function's LOG. */
    public void delete(String function) {
        Slot slot = slots.remove(function);
        if (slot == null) {
            slot = new Slot();
        }
        synchronized (slot) {
            try {
                file(function, slot).delete();
                slot.file = null;
            } catch (IOException failure) {
                LOG.warn("event=log_not_deleted function={} reason=\"{}\"", function, failure.getMessage());
            }
        }
    }

    @Override
    public void close() {
        slots.forEach((function, slot) -> {
            synchronized (slot) {
                try {
                    if (slot.file != null) {
                        slot.file.close();
                    }
                } catch (IOException failure) {
                    LOG.warn("event=log_not_closed function={} reason=\"{}\"", function, failure.getMessage());
                }
            }
        });
    }

    private Slot slot(String function) {
        return slots.computeIfAbsent(function, absent -> new Slot());
    }

    /** Returns the log file of a function, which is always inside the log folder. */
    private Path path(String function, LogPolicy policy) {
        Path path =
                directory.resolve(policy.folder()).resolve(function + ".log").normalize();
        if (!path.startsWith(directory)) {
            throw new IllegalArgumentException("The log of " + function + " must be inside " + directory);
        }
        return path;
    }

    /** A line of the log, with the number of the version of the function that wrote it. */
    public record WrittenLine(LogLine line, long version) {}

    /**
     * How the log of one function is kept.
     *
     * @param folder inside the service's log folder; "" for that itself
     * @param maxFileBytes size at which a file is rotated
     * @param maxFiles files kept, the one being written included
     * @param rotate false: one file, which stops growing at its size
     * @param json one JSON object per line instead of text
     * @param level the least severe level that is written
     * @param version the number of the version that writes
     */
    public record LogPolicy(
            String folder, long maxFileBytes, int maxFiles, boolean rotate, boolean json, String level, long version) {

        /** The policy of a function that was not configured. */
        public static final LogPolicy STANDARD = new LogPolicy("", 40L << 20, 10, true, false, "INFO", 1);
    }
}
