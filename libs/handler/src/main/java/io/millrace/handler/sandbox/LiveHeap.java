package io.millrace.handler.sandbox;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** How much of the heap is in use beyond what the engine itself needs. */
final class LiveHeap {
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    /** What was live before any invocation. */
    private final long idleBytes;

    private LiveHeap(long idleBytes) {
        this.idleBytes = idleBytes;
    }

    /** Measures what is live while no code runs. */
    static LiveHeap idle() {
        System.gc();
        return new LiveHeap(used());
    }

    /** Returns what code may hold at most: what is in use now, garbage included. Costs nothing. */
    long heldAtMost() {
        return used() - idleBytes;
    }

    /** Returns what is live, after a collection of the whole heap. */
    long held() {
        System.gc();
        return used() - idleBytes;
    }

    private static long used() {
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}
