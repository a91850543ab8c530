package io.millrace.subdoc;

import io.millrace.subdoc.Outcome.PathResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One way to the sub-document engine: the library, HTTP, the binary protocol. */
public interface Road {

    /** Returns true when this road can express a vector. */
    boolean expresses(Vector vector);

    /** Stores the document of a vector, carries out its request and reads the resulting document. */
    Seen travel(Vector vector) throws Exception;

    /**
     * What came of a vector.
     *
     * @param status of the whole request
     * @param results as in {@link Outcome#results}
     * @param document afterwards, or null when there is no living one
     * @param xattrs afterwards, by name; null when the road cannot tell
     * @param flags the client's bits afterwards; null when the road cannot tell
     */
    record Seen(
            Status status,
            List<PathResult> results,
            byte @Nullable [] document,
            @Nullable Map<String, String> xattrs,
            @Nullable Integer flags) {}
}
