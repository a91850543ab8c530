package io.millrace.n1ql.runtime;

/**
 * The memory of one statement.
 *
 * @param heldBytes what it may hold of the heap at the same time: rows that are sorted, groups, values of a result
 * @param workBytes what one of its operators holds before it writes rows to files
 * @param spilledBytes what all its files may have together
 */
public record Memory(long heldBytes, long workBytes, long spilledBytes) {

    private static final long MIB = 1 << 20;

    /** Shares of the heap of this process. */
    public static Memory ofHeap() {
        long heap = Runtime.getRuntime().maxMemory();
        return new Memory(Math.max(16 * MIB, heap / 3), Math.max(4 * MIB, heap / 24), 8L << 30);
    }
}
