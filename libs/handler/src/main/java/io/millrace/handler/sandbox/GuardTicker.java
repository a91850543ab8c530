package io.millrace.handler.sandbox;

import io.millrace.handler.HandlerLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The thread that checks all running invocations of an engine. */
public final class GuardTicker implements AutoCloseable {
    private final List<Guard> guards = new CopyOnWriteArrayList<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("handler-guard").unstarted(this::run);

    private final LiveHeap heap = LiveHeap.idle();

    /** Starts watching; no code may run yet. */
    public static GuardTicker start() {
        var ticker = new GuardTicker();
        ticker.thread.start();
        return ticker;
    }

    public void add(Guard guard) {
        guards.add(guard);
    }

    public void remove(Guard guard) {
        guards.remove(guard);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(Duration.ofMillis(HandlerLimits.GUARD_TICK_MILLIS));
                long now = System.nanoTime();
                for (var guard : guards) {
                    guard.tick(now, heap, () -> heldByOthers(guard));
                }
            }
        } catch (InterruptedException e) {
            // closed
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
