package io.millrace.handler.sandbox;

import io.millrace.handler.HandlerLimits;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.jspecify.annotations.Nullable;

/**
 * Watches the invocations of one thread and stops one that runs too long or holds too much memory. The thread marks begin
 * and end; the {@link GuardTicker} looks in between.
 *
 * <pre>
 *            begin             end
 *   IDLE(n) -------> RUNNING(n) -------> IDLE(n+1)
 *                       | tick             ^
 *                       v                  | end, which waited
 *                    STOPPING(n) -------> STOPPED(n)
 *                               interrupt returned
 * </pre>
 *
 * The number in the state makes every step a compare-and-set on one certain invocation, so that an interrupt cannot hit
 * the one after it.
 */
public final class Guard {
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int STOPPING = 2;
    private static final int STOPPED = 3;
    private static final int PHASE_BITS = 2;
    /** Bounds how often an invocation that holds almost its limit makes the heap be collected. */
    private static final int COLLECTIONS_PER_LIMIT = 4;

    /** Why an invocation was stopped. */
    public enum Reason {
        TIMEOUT,
        MEMORY
    }

    private final Thread thread = Thread.currentThread();
    private final Context context;
    private final Supplier<OptionalLong> kept;
    private final long memoryLimitBytes;
    private final Duration stuckAfter;
    private final Guarded guarded;
    private final GuardTicker ticker;
    private final long openedBytes;
    private final AtomicLong state = new AtomicLong();
    // written by the thread before it sets RUNNING, read by the ticker after it saw RUNNING
    private volatile long startNanos;
    private volatile long startBytes;
    private volatile long timeoutNanos;
    /** Until the thread has allocated so many bytes in its life, the invocation cannot hold more than its limit. */
    private volatile long withinLimitUntilBytes;
    // written by the ticker before it sets STOPPING
    private volatile Reason reason = Reason.TIMEOUT;

    /**
     * Guards the calling thread.
     *
     * @param kept measures what the context keeps, see {@link Retention}
     * @param ticker is told when an invocation begins
     */
    public Guard(
            Context context,
            Supplier<OptionalLong> kept,
            long memoryLimitBytes,
            Duration stuckAfter,
            Guarded guarded,
            GuardTicker ticker) {
        this.context = context;
        this.kept = kept;
        this.memoryLimitBytes = memoryLimitBytes;
        this.stuckAfter = stuckAfter;
        this.guarded = guarded;
        this.openedBytes = Allocation.ofCurrentThread();
        this.ticker = ticker;
    }

    /** Marks the beginning of an invocation on the calling thread and returns the time, for {@link #end}. */
    public long begin(Duration timeout) {
        long now = System.nanoTime();
        timeoutNanos = timeout.toNanos();
        startNanos = now;
        startBytes = Allocation.ofCurrentThread();
        withinLimitUntilBytes = startBytes + memoryLimitBytes;
        state.set(state.get() & -1L << PHASE_BITS | RUNNING);
        ticker.wake();
        return now;
    }

    /** Marks the end; returns why the invocation was stopped, null if it was not stopped. */
    @Nullable
    public Reason end() {
        long running = state.get() & -1L << PHASE_BITS | RUNNING;
        if (state.compareAndSet(running, next(running))) {
            return null;
        }
        while (phase(state.get()) != STOPPED) {
            LockSupport.park(this);
            // the engine also interrupts the thread, to wake hosts that block
            Thread.interrupted();
        }
        Thread.interrupted();
        state.set(next(running));
        return reason;
    }

    /**
     * Stops the running invocation if it exceeds its limits.
     *
     * @param othersHold how much the invocations of the other threads may hold at most
     */
    void tick(long now, LiveHeap heap, LongSupplier othersHold) {
        long seen = state.get();
        if (phase(seen) != RUNNING) {
            return;
        }
        Reason found;
        if (now - startNanos > timeoutNanos) {
            found = Reason.TIMEOUT;
        } else if (holdsTooMuch(heap, othersHold)) {
            found = Reason.MEMORY;
        } else {
            return;
        }
        reason = found;
        long stopping = seen & -1L << PHASE_BITS | STOPPING;
        if (state.compareAndSet(seen, stopping)) {
            // on a thread of its own, because interrupt waits until the code has stopped
            Thread.ofPlatform().daemon().name("handler-stop").start(() -> stop(stopping));
        }
    }

    /**
     * An invocation that has allocated more than its limit may hold more. Whether it does, the heap tells: at once if all
     * that is in use, garbage included, is within the limit; else after a collection. What the others may hold is not
     * counted, so that none is stopped for memory of another.
     */
    private boolean holdsTooMuch(LiveHeap heap, LongSupplier othersHold) {
        long allocated = Allocation.of(thread);
        if (allocated <= withinLimitUntilBytes) {
            return false;
        }
        long others = othersHold.getAsLong();
        long held = heap.heldAtMost() - others;
        if (held > memoryLimitBytes) {
            held = heap.held() - others;
        }
        if (held > memoryLimitBytes) {
            return true;
        }
        withinLimitUntilBytes =
                allocated + Math.max(memoryLimitBytes - Math.max(0, held), memoryLimitBytes / COLLECTIONS_PER_LIMIT);
        return false;
    }

    /** Returns what the thread has allocated since the handler was opened, garbage included. */
    long allocatedBytes() {
        return Math.max(0, Allocation.of(thread) - openedBytes);
    }

    /** Returns what the handler keeps between invocations; nothing where that cannot be measured. */
    OptionalLong keptBytes() {
        return kept.get();
    }

    Guarded guarded() {
        return guarded;
    }

    /** Returns whether an invocation is running. */
    boolean running() {
        return phase(state.get()) != IDLE;
    }

    /** Returns what the running invocation may hold at most; 0 if none is running. */
    long mayHold() {
        return running() ? Math.clamp(Allocation.of(thread) - startBytes, 0, memoryLimitBytes) : 0;
    }

    private void stop(long stopping) {
        try {
            if (!interrupt()) {
                guarded.stuck("thread " + thread.getName() + " did not stop within " + HandlerLimits.STUCK_AFTER_MILLIS
                        + " ms after it was interrupted because of " + reason);
                while (!interrupt()) {
                    // keep trying: if it stops while the process ends, its thread must not wait without end
                }
            }
        } finally {
            state.set(stopping & -1L << PHASE_BITS | STOPPED);
            LockSupport.unpark(thread);
        }
    }

    private boolean interrupt() {
        try {
            context.interrupt(stuckAfter);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static int phase(long state) {
        return (int) (state & (1 << PHASE_BITS) - 1);
    }

    private static long next(long state) {
        return (state >>> PHASE_BITS) + 1 << PHASE_BITS | IDLE;
    }
}
