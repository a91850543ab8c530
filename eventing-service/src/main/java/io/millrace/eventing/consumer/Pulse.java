package io.millrace.eventing.consumer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at all functions of this node, or at all their workers, at regular intervals, on one thread that lives as long as
 * there are any: a function that has nothing to do costs no thread a turn, and is not even touched in most turns, because what was
 * found at rest is looked at less often. Thread-safe.
 */
public final class Pulse {

    private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);

    private static final Map<Times, Pulse> PULSES = new ConcurrentHashMap<>();

    private final Duration interval;
    private final Supplier<?> shared;

    // guarded by this
    private final Set<Look> looks = new HashSet<>();

    /** What is looked at in the next turn, in the one after it, and so on, from {@link #next} on; some may have ended since. */
    private final List<List<Look>> turns;

    private int next;
    private boolean running;

    /** Something to look at. */
    @FunctionalInterface
    public interface Look {

        /**
         * Looks; must not block.
         *
         * @return whether it is at rest: it need not be looked at before the rest of the pulse is over
         */
        boolean restsNow();
    }

    private record Times(Duration interval, Duration rest) {}

    /**
     * @param rest how long what is at rest is not looked at; at least an interval
     * @param shared returns what ends all rests when it is not equal to what it was at the turn before; asked at every interval,
     *     must not fail
     */
    public Pulse(Duration interval, Duration rest, Supplier<?> shared) {
        this.interval = interval;
        this.shared = shared;
        this.turns = Stream.generate(() -> (List<Look>) new ArrayList<Look>())
                .limit(Math.max(1, rest.dividedBy(interval)))
                .toList();
    }

    /** Returns the pulse that all of this process share which look so often. */
    static Pulse every(Duration interval, Duration rest) {
        return PULSES.computeIfAbsent(new Times(interval, rest), times -> new Pulse(interval, rest, () -> times));
    }

    /** Calls {@code look} at the intervals; it is called once more at most after {@link #end}. */
    public synchronized void begin(Look look) {
        looks.add(look);
        turns.get(next).add(look);
        if (!running) {
            running = true;
            Thread.ofVirtual().name("functions-pulse").start(this::run);
        }
    }

    /** Calls {@code look} at the intervals until something ends. */
    public void until(CompletableFuture<?> end, Look look) {
        begin(look);
        end.whenComplete((ended, failure) -> end(look));
    }

    public synchronized void end(Look look) {
        looks.remove(look);
    }

    private void run() {
        Object before = "";
        while (goesOn()) {
            Object now = shared.get();
            List<Look> due = due(!now.equals(before));
            before = now;
            for (Look look : due) {
                lookAgain(look, restsNow(look));
            }
            long until = System.nanoTime() + interval.toNanos();
            for (long left = interval.toNanos(); left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private synchronized boolean goesOn() {
        running = !looks.isEmpty();
        if (!running) {
            turns.forEach(List::clear);
        }
        return running;
    }

    /** Returns what this turn looks at, and ends all rests if asked to. */
    private synchronized List<Look> due(boolean all) {
        List<Look> due = all
                ? List.copyOf(looks)
                : turns.get(next).stream().filter(looks::contains).toList();
        if (all) {
            turns.forEach(List::clear);
        }
        turns.get(next).clear();
        next = (next + 1) % turns.size();
        return due;
    }

    /** Nothing that fails may keep the others from being looked at. */
    private static boolean restsNow(Look look) {
        try {
            return look.restsNow();
        } catch (RuntimeException e) {
            LOG.error("event=look_failed", e);
            return false;
        }
    }

    private synchronized void lookAgain(Look look, boolean rests) {
        int turn = rests ? turns.size() - 1 : 0;
        turns.get((next + turn) % turns.size()).add(look);
    }
}
