package io.millrace.eventing.consumer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at all functions of this node, or at all their workers, at regular intervals, on one thread that lives as long as
 * there are any: a function that has nothing to do costs no thread a turn. Thread-safe.
 */
public final class Pulse {

    private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);

    private static final Map<Duration, Pulse> PULSES = new ConcurrentHashMap<>();

    private final Duration interval;

    // guarded by this
    private final List<Runnable> looks = new ArrayList<>();
    private boolean running;

    public Pulse(Duration interval) {
        this.interval = interval;
    }

    /** Returns the pulse that all of this process share which look so often. */
    static Pulse every(Duration interval) {
        return PULSES.computeIfAbsent(interval, Pulse::new);
    }

    /** Calls {@code look} at every interval; it must not block, and is called once more at most after {@link #end}. */
    public synchronized void begin(Runnable look) {
        looks.add(look);
        if (!running) {
            running = true;
            Thread.ofVirtual().name("functions-pulse").start(this::run);
        }
    }

    /** Calls {@code look} at every interval until something ends. */
    public void until(CompletableFuture<?> end, Runnable look) {
        begin(look);
        end.whenComplete((ended, failure) -> end(look));
    }

    public synchronized void end(Runnable look) {
        looks.remove(look);
    }

    private void run() {
        for (List<Runnable> all = all(); !all.isEmpty(); all = all()) {
            all.forEach(Pulse::call);
            long until = System.nanoTime() + interval.toNanos();
            for (long left = interval.toNanos(); left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    /** Nothing that fails may keep the others from being looked at. */
    private static void call(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) {
            LOG.error("event=look_failed", e);
        }
    }

    private synchronized List<Runnable> all() {
        running = !looks.isEmpty();
        return List.copyOf(looks);
    }
}
