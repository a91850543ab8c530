package io.millrace.subdocservice.rest.bulk;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.subdocservice.rest.error.ApiError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the results of the lines of a bulk load. Thread-safe. */
final class BulkReport {

    /** A line of the response while the load runs. */
    record Progress(long loaded, long refused, long bytes) {}

    /** A line that was refused. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RefusedLine(long line, @Nullable String id, String code, String detail) {}

    /**
     * The last line of the response.
     *
     * @param done always true; only this line has it
     * @param lines the number of lines without blank ones
     * @param bytes the number of bytes read
     * @param refusals the first refused lines
     * @param stopped why the load ended before its input, or null
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
