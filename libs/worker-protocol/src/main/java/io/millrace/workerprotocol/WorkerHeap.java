package io.millrace.workerprotocol;

/**
 * Relates the heap of a worker to the allocation limit of its invocations: all threads may reach the limit at the same
 * time, and the process must survive. An invocation that is told to stop continues to allocate for some milliseconds,
 * so each gets half its limit in addition.
 *
 * <p>Sizes are bytes unless they say MiB.
 */
public final class WorkerHeap {

    /** What a worker needs in addition to what invocations hold. */
    static final long RESERVE = 64L << 20;

    private static final long MIB = 1 << 20;

    private WorkerHeap() {}

    /**
     * Returns the heap, in MiB, in which all threads of a worker may reach its allocation limit.
     *
     * @param mostMib what is returned at most
     */
    public static int neededMib(WorkerSetup setup, int mostMib) {
        long share = Math.min(setup.limits().allocationLimitBytes(), mostMib * MIB);
        long needed = RESERVE + setup.limits().threads() * (share + share / 2);
        return (int) Math.min(mostMib, (needed + MIB - 1) / MIB);
    }

    /**
     * Returns the allocation limit that a worker can keep: the one that it was given, or what its heap allows for each
     * thread when that is less, and never less than 1 MiB.
     */
    public static long allocationLimit(WorkerSetup setup, long heapBytes) {
        long share = (heapBytes - RESERVE) / setup.limits().threads() * 2 / 3;
        return Math.min(setup.limits().allocationLimitBytes(), Math.max(MIB, share));
    }
}
