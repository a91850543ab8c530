package io.millrace.handler.sandbox;

import java.lang.management.ManagementFactory;

/** How many bytes threads have allocated in their lives, garbage included. */
final class Allocation {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    static long ofCurrentThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    static long of(Thread thread) {
        return THREADS.getThreadAllocatedBytes(thread.threadId());
    }
}
