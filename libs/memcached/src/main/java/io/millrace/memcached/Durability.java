package io.millrace.memcached;

/**
 * The durability that a write asks for in its frame extras.
 *
 * @param level as sent; 1 to 3 are those of {@link #MAJORITY} and its kin
 * @param timeoutMillis how long to wait at most, or 0 for the server's own time
 */
public record Durability(int level, int timeoutMillis) {

    /** In the memory of more than half of the nodes. */
    public static final int MAJORITY = 1;

    /** As {@link #MAJORITY}, and on the disk of the active one. */
    public static final int MAJORITY_AND_PERSIST_TO_ACTIVE = 2;

    /** On the disks of more than half of the nodes. */
    public static final int PERSIST_TO_MAJORITY = 3;
}
