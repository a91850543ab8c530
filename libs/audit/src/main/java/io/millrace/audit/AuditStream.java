package io.millrace.audit;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Where the lines of all trails are copied to, those of a trail in order. Thread-safe. */
public interface AuditStream {

    /**
     * Appends lines of a trail. Those that the stream has already are left out, so that a call may be repeated; without lines,
     * the call asks how far the copy is.
     *
     * @param trail names the trail; see {@link FileSink#trail}
     * @param lines consecutive lines, at most {@link AuditLimits#MAX_LINES_PER_COPY}
     * @return the sequence of the last line of the trail that the stream has now, 0 if it has none
     */
    CompletableFuture<Long> append(String trail, List<String> lines);
}
