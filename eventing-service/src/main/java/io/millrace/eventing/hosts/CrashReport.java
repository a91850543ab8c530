package io.millrace.eventing.hosts;

import io.millrace.workerprotocol.WorkerExit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the JVM wrote when it ended because the heap was used up, or by a crash: the thread that ran then, whose name
 * begins with its worker.
 *
 * @param worker the number of the worker in its host
 */
record CrashReport(long worker, WorkerExit exit) {

    private static final Pattern THREAD = Pattern.compile("^Current thread .*JavaThread \"w(\\d+)-.*");
    private static final int LINES = 200;

    /** Reads a report, as far as there is one and it names a worker. */
    static Optional<CrashReport> read(Path file) {
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try (Stream<String> all = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            WorkerExit exit = WorkerExit.CRASHED;
            for (String line : all.limit(LINES).toList()) {
                if (line.contains("fatal error: OutOfMemory encountered")) {
                    exit = WorkerExit.OUT_OF_MEMORY;
                }
                Matcher thread = THREAD.matcher(line);
                if (thread.matches()) {
                    return Optional.of(new CrashReport(Long.parseLong(thread.group(1)), exit));
                }
            }
            return Optional.empty();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }
}
