package io.millrace.memcached;

/**
 * The durability that a write asks for in its frame extras.
 *
 * @param level the level as sent; 1 to 3 are the constants of this class
 * @param timeoutMillis the longest wait in milliseconds, or 0 for the default of the server
 */
public record Durability(int level, int timeoutMillis) {

    /** The write is in the memory of a majority of the nodes. */
    public static final int MAJORITY = 1;

    /** As {@link #MAJORITY}, and on the disk of the active node. */
    public static final int MAJORITY_AND_PERSIST_TO_ACTIVE = 2;

    /** The write is on the disks of a majority of the nodes. */
    public static final int PERSIST_TO_MAJORITY = 3;
}
