package io.millrace.subdoc;

import io.millrace.subdoc.Outcome.PathResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs vectors through one entry to the sub-document engine: the library, HTTP or the binary protocol. */
public interface VectorRunner {

    /** Returns whether this entry has a request for a vector. */
    boolean supports(Vector vector);

    /** Stores the document of a vector, carries out its request and reads the resulting document. */
    Seen run(Vector vector) throws Exception;

    /**
     * The result of a vector.
     *
     * @param status of the whole request
     * @param results as in {@link Outcome#results}
     * @param document afterwards, or null when there is no living one
     * @param xattrs afterwards, by name; null when this entry does not show it
     * @param flags the client's bits afterwards; null when this entry does not show it
     */
    record Seen(
            Status status,
            List<PathResult> results,
            byte @Nullable [] document,
            @Nullable Map<String, String> xattrs,
            @Nullable Integer flags) {}
}
