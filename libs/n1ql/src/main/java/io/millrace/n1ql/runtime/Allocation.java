package io.millrace.n1ql.runtime;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** Measures how much a run has allocated on all threads that it used. */
final class Allocation {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A part of the run on one thread. */
    private record Stretch(Thread thread, long before, long earlier) {

        long bytes() {
            return earlier + Math.max(0, THREADS.getThreadAllocatedBytes(thread.threadId()) - before);
        }
    }

    private volatile @Nullable Stretch current;

    /** Records that the run continues on this thread. */
    void here() {
        Thread thread = Thread.currentThread();
        Stretch known = current;
        if (known == null || known.thread() != thread) {
            current = new Stretch(
                    thread, THREADS.getThreadAllocatedBytes(thread.threadId()), known == null ? 0 : known.bytes());
        }
    }

    long bytes() {
        Stretch known = current;
        return known == null ? 0 : known.bytes();
    }
}
