package io.millrace.eventing.consumer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The workers that had events in flight when a shared process died, and one of which may have been the reason. They take
 * turns: who has the turn handles those events again while the others wait, so that another death tells which one it
 * was. A turn that takes long, or is not taken, does not keep the others waiting: the next one begins. Thread-safe.
 */
public final class Suspects {

    /** Of launchers whose workers share no process. */
    static final Suspects NONE = new Suspects();

    /** So long after a turn was taken the next one begins as well. */
    private static final Duration SLICE = Duration.ofMillis(300);

    /** So long after a turn has come the next one begins as well: longer than a process usually takes to start. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private final Set<Turn> active = new LinkedHashSet<>();

    /** A place in the queue. */
    final class Turn {

        private final Runnable came;
        private boolean used;

        /** Whether the next turn need not wait for the end of this one. */
        private boolean late;

        private Turn(Runnable came) {
            this.came = came;
        }

        boolean came() {
            lock.lock();
            try {
                return active.contains(this);
            } finally {
                lock.unlock();
            }
        }

        /** Returns whether the turn has come, and takes it: its time begins now, not while a process is being started. */
        boolean take() {
            lock.lock();
            try {
                boolean mine = active.contains(this);
                if (mine && !used) {
                    used = true;
                    lateAfter(SLICE, () -> true);
                }
                return mine;
            } finally {
                lock.unlock();
            }
        }

        /** Leaves the queue; returns whether this was the only turn, or the first of those that began. */
        boolean leave() {
            lock.lock();
            try {
                boolean first = !active.isEmpty() && active.iterator().next() == this;
                active.remove(this);
                waiting.remove(this);
                admit();
                return first;
            } finally {
                lock.unlock();
            }
        }

        private void lateAfter(Duration time, BooleanSupplier ifStill) {
            CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> {
                        lock.lock();
                        try {
                            late |= ifStill.getAsBoolean();
                            admit();
                        } finally {
                            lock.unlock();
                        }
                    });
        }
    }

    /** Takes a place. {@code came} is called on another thread when its turn begins. */
    Turn enter(Runnable came) {
        lock.lock();
        try {
            Turn turn = new Turn(came);
            waiting.add(turn);
            admit();
            return turn;
        } finally {
            lock.unlock();
        }
    }

    /** Begins the next turn unless another one has just begun. Holds the lock. */
    private void admit() {
        Turn next = active.stream().allMatch(turn -> turn.late) ? waiting.poll() : null;
        if (next != null) {
            active.add(next);
            next.lateAfter(LONGEST_PAUSE, () -> !next.used);
            Thread.ofVirtual().name("suspect").start(next.came);
        }
    }
}
