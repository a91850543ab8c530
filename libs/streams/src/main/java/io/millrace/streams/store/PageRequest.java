package io.millrace.streams.store;

/**
 * Which batches to read; the tip is one of them.
 *
 * @param direction from which end to begin
 * @param from the lowest index that is of interest
 * @param to the index after the highest, or {@link #END}
 * @param batches how many batches to read at most, 1 or more
 */
public record PageRequest(Direction direction, long from, long to, int batches) {

    /** Behind the last event of any stream. */
    public static final long END = (1L << 53) - 1;

    /** From which end a stream is read. */
    public enum Direction {
        FORWARD,
        BACKWARD
    }
}
