package io.millrace.n1ql;

import io.millrace.n1ql.runtime.Execution;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a few of the statements that take long compute at the same time; the others wait in a queue. Each statement is short
 * until it has computed for a while, so a read by key never waits, whatever an estimate would say. What counts is the time of
 * the processor: a statement does not become long because the store or the processor keeps it waiting. Thread-safe.
 */
public final class Admission {

    /** Lets all statements compute. */
    public static final Admission NONE = new Admission(Integer.MAX_VALUE, Duration.ofDays(1), Duration.ofDays(1));

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean MEASURES_THREADS = THREADS.isCurrentThreadCpuTimeSupported();

    private final long shortNanos;
    private final long turnNanos;
    private final Deque<CompletableFuture<Void>> queue = new ArrayDeque<>();
    private int free;

    /**
     * @param turns how many long statements compute at the same time
     * @param shorter a statement that computes less is not long
     * @param turn after so long, a statement goes to the end of the queue
     */
    public Admission(int turns, Duration shorter, Duration turn) {
        this.free = turns;
        this.shortNanos = shorter.toNanos();
        this.turnNanos = turn.toNanos();
    }

    /** Returns how many long statements wait. */
    public synchronized int waiting() {
        return queue.size();
    }

    /** Returns what completes when it is the caller's turn. */
    private synchronized CompletableFuture<Void> ask() {
        if (free > 0) {
            free--;
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> turn = new CompletableFuture<>();
        queue.add(turn);
        return turn;
    }

    /** Gives a turn to the next statement, which may have stopped waiting. */
    private synchronized void giveBack() {
        for (CompletableFuture<Void> next = queue.poll(); next != null; next = queue.poll()) {
            if (next.complete(null)) {
                return;
            }
        }
        free++;
    }

    /** Stops waiting; a turn that was given meanwhile goes to the next one. */
    private synchronized void leave(CompletableFuture<Void> turn) {
        boolean given = !queue.remove(turn) && !turn.isCompletedExceptionally();
        if (given) {
            giveBack();
        }
    }

    Ticket ticket() {
        return new Ticket();
    }

    /** Returns how long this thread has computed; of a virtual thread, which is not measured, how much time has passed. */
    private static long computedNanos() {
        return MEASURES_THREADS && !Thread.currentThread().isVirtual()
                ? THREADS.getCurrentThreadCpuTime()
                : System.nanoTime();
    }

    /** The turn of one statement. Used by the thread that runs it. */
    final class Ticket {

        private long computed;
        private long since = computedNanos();
        private boolean paused;
        private boolean waits;
        private boolean hasTurn;

        /** Called every few hundred rows: waits if the statement is long, and others have their turn. */
        void look(Execution execution) {
            long now = computedNanos();
            if (paused) {
                paused = false;
                since = now;
            }
            boolean goesOn = hasTurn ? now - since < turnNanos || waiting() == 0 : computed + now - since < shortNanos;
            if (waits || goesOn) {
                return;
            }
            release();
            computed += now - since;
            await(execution);
            since = computedNanos();
        }

        private void await(Execution execution) {
            CompletableFuture<Void> turn = ask();
            waits = true;
            try {
                execution.await(turn);
                hasTurn = true;
            } finally {
                waits = false;
                if (!hasTurn) {
                    leave(turn);
                }
            }
        }

        /** The statement does not compute for now: its caller has what it asked for, or the store keeps it waiting. */
        void pause() {
            if (!paused && !waits) {
                computed += computedNanos() - since;
                paused = true;
                release();
            }
        }

        private void release() {
            if (hasTurn) {
                hasTurn = false;
                giveBack();
            }
        }
    }
}
