package io.millrace.handler.sandbox;

import io.millrace.handler.HandlerLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that checks all running invocations of an engine. When there has been none for a while it rests until one
 * begins: an engine with nothing to do takes no processor time.
 */
public final class GuardTicker implements AutoCloseable {
    private final List<Guard> guards = new CopyOnWriteArrayList<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("handler-guard").unstarted(this::run);

    private final LiveHeap heap = LiveHeap.idle();

    private final FullHeap fullHeap = new FullHeap(heap, guards);

    /** When the last handler was loaded or closed, after which the heap has not been measured yet; 0 if it has. */
    private final AtomicLong changedNanos = new AtomicLong();

    /** Whether the thread waits, or is about to, until {@link #wake}. */
    private volatile boolean resting;

    /** Starts watching; no code may run yet. */
    public static GuardTicker start() {
        var ticker = new GuardTicker();
        ticker.thread.start();
        return ticker;
    }

    public void add(Guard guard) {
        guards.add(guard);
        changed();
    }

    public void remove(Guard guard) {
        guards.remove(guard);
        changed();
    }

    private void changed() {
        changedNanos.set(System.nanoTime() | 1);
        wake();
    }

    /** Ends a rest. To be called after an invocation was marked as running. */
    void wake() {
        if (resting) {
            resting = false;
            LockSupport.unpark(thread);
        }
    }

    boolean resting() {
        return resting;
    }

    private void run() {
        try {
            int quiet = 0;
            while (true) {
                Thread.sleep(Duration.ofMillis(HandlerLimits.GUARD_TICK_MILLIS));
                long now = System.nanoTime();
                for (var guard : guards) {
                    guard.tick(now, heap, () -> heldByOthers(guard));
                }
                settle(now);
                fullHeap.tick(now);
                quiet = needed() ? 0 : quiet + 1;
                if (quiet >= HandlerLimits.GUARD_QUIET_TICKS) {
                    rest();
                    quiet = 0;
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private boolean needed() {
        return changedNanos.get() != 0 || guards.stream().anyMatch(Guard::running);
    }

    /** Waits until there may be something to check. An invocation that begins sees the rest, or is seen here. */
    private void rest() throws InterruptedException {
        resting = true;
        while (resting && !needed()) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        resting = false;
    }

    /**
     * Measures the heap again some time after handlers were loaded or closed: what a handler keeps must not be taken for
     * what an invocation of another one holds.
     */
    private void settle(long now) {
        long changed = changedNanos.get();
        boolean due = changed != 0 && now - changed > HandlerLimits.SETTLE_MILLIS * 1_000_000;
        if (due && guards.stream().mapToLong(Guard::mayHold).sum() < HandlerLimits.SETTLED_BYTES) {
            heap.settle();
            changedNanos.compareAndSet(changed, 0);
        }
    }

    private long heldByOthers(Guard one) {
        long held = 0;
        for (var guard : guards) {
            held += guard == one ? 0 : guard.mayHold();
        }
        return held;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
