package io.millrace.eventing.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The processor time of the threads of a process, as Linux counts it. */
final class ThreadTimes {

    private static final Pattern WORKER = Pattern.compile("(w\\d+)-.*");

    private final Path tasks;

    ThreadTimes(long pid) {
        tasks = Path.of("/proc", Long.toString(pid), "task");
    }

    /** Returns the processor time in nanoseconds of each worker, by the name with which those of its threads begin. */
    Map<String, Long> nanosByWorker() {
        Map<String, Long> nanos = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                add(thread, nanos);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return nanos;
    }

    private static void add(Path thread, Map<String, Long> nanos) throws IOException {
        try {
            Matcher worker =
                    WORKER.matcher(Files.readString(thread.resolve("comm")).strip());
            if (worker.matches()) {
                String used = Files.readString(thread.resolve("schedstat")).split(" ")[0];
                nanos.merge(worker.group(1), Long.valueOf(used), Long::sum);
            }
        } catch (NoSuchFileException ended) {
            // the thread has just ended
        }
    }

    /** Returns what was used between two readings. */
    static Map<String, Long> since(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> used = new TreeMap<>();
        after.forEach((worker, nanos) -> used.put(worker, nanos - before.getOrDefault(worker, 0L)));
        return used;
    }
}
