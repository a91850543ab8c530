package io.millrace.subdoc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request.
 *
 * @param status of the whole request
 * @param results of a look-up: one per operation, in order. Of a mutation that succeeded: one per operation that gives
 *     a
 *     value. Of a multi mutation that failed at a path: that one. Of a single request: one if it gives a value
 * @param change what must be stored before the answer is sent; null for nothing
 */
public record Outcome(
        Status status, List<PathResult> results, @Nullable Change change) {

    public static Outcome refused(Status status) {
        return new Outcome(status, List.of(), null);
    }

    /**
     * The result of one operation of a request.
     *
     * @param index which one, from 0
     * @param value empty when there is none; not copied: treat it as read-only
     */
    public record PathResult(int index, Status status, byte[] value) {}
}
