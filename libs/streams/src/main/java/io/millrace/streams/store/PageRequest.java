package io.millrace.streams.store;

/**
 * Which batches to read; the tip is one of them.
 *
 * @param direction at which end to begin
 * @param from the lowest index to read
 * @param to the index after the highest to read, or {@link #END}
 * @param batches how many batches to read at most, 1 or more
 */
public record PageRequest(Direction direction, long from, long to, int batches) {

    /** An index after the last event of any stream. */
    public static final long END = (1L << 53) - 1;

    /** The end of the stream at which reading begins. */
    public enum Direction {
        FORWARD,
        BACKWARD
    }
}
