package io.millrace.subdocservice.rest.bulk;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.subdocservice.rest.error.ApiError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what became of the lines of one bulk load. Thread-safe. */
final class BulkReport {

    /** A line of the answer while the load goes on. */
    record Progress(long loaded, long refused, long bytes) {}

    /** A line that was refused. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RefusedLine(long line, @Nullable String id, String code, String detail) {}

    /**
     * The last line of the answer.
     *
     * @param done always true: tells this line from the others
     * @param lines how many lines were read, blank ones not counted
     * @param bytes how many bytes were read
     * @param refusals the first refused lines
     * @param stopped why the load ended before its input did, or null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Summary(
            boolean done,
            long loaded,
            long refused,
            long lines,
            long bytes,
            double seconds,
            List<RefusedLine> refusals,
            @Nullable String stopped) {}

    private long loaded;
    private long refused;
    private long bytes;
    private final List<RefusedLine> refusals = new ArrayList<>();

    synchronized void read(int count) {
        bytes += count;
    }

    synchronized void loaded() {
        loaded++;
    }

    synchronized void refused(long line, @Nullable String id, ApiError error, String reason) {
        refused++;
        if (refusals.size() < BulkLimits.MAX_BULK_REFUSALS_LISTED) {
            refusals.add(new RefusedLine(line, id, error.code(), reason));
        }
    }

    synchronized Progress progress() {
        return new Progress(loaded, refused, bytes);
    }

    synchronized Summary summary(Duration took, @Nullable String stopped) {
        List<RefusedLine> listed = new ArrayList<>(refusals);
        listed.sort(Comparator.comparingLong(RefusedLine::line));
        return new Summary(true, loaded, refused, loaded + refused, bytes, took.toMillis() / 1000.0, listed, stopped);
    }
}
