package io.millrace.handler.sandbox;

import io.millrace.handler.HandlerLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** The thread that checks all running invocations of an engine. */
public final class GuardTicker implements AutoCloseable {
    private final List<Guard> guards = new CopyOnWriteArrayList<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("handler-guard").unstarted(this::run);

    private final LiveHeap heap = LiveHeap.idle();

    /** When the last handler was loaded or closed, after which the heap has not been measured yet; 0 if it has. */
    private final AtomicLong changedNanos = new AtomicLong();

    /** Starts watching; no code may run yet. */
    public static GuardTicker start() {
        var ticker = new GuardTicker();
        ticker.thread.start();
        return ticker;
    }

    public void add(Guard guard) {
        guards.add(guard);
        changedNanos.set(System.nanoTime() | 1);
    }

    public void remove(Guard guard) {
        guards.remove(guard);
        changedNanos.set(System.nanoTime() | 1);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(Duration.ofMillis(HandlerLimits.GUARD_TICK_MILLIS));
                long now = System.nanoTime();
                for (var guard : guards) {
                    guard.tick(now, heap, () -> heldByOthers(guard));
                }
                settle(now);
            }
        } catch (InterruptedException e) {
            // closed
        }
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
