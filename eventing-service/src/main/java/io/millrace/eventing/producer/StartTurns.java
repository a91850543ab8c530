package io.millrace.eventing.producer;

import io.millrace.eventing.runtime.StopSignal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Lets a few functions of this node start at a time, the others in their order behind them. If hundreds started at once, they
 * would divide the processors so finely that none is ready for long, and that every request to the node waits as well. A start
 * that takes long, such as that of code that hangs, does not keep the others waiting: the next one begins. Thread-safe.
 */
final class StartTurns {

    /** After so long the next start begins as well. */
    private static final Duration SLICE = Duration.ofSeconds(2);

    private static final int STARTS_PER_PROCESSOR = 4;

    private final Duration slice;

    // guarded by this
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private int free;

    StartTurns() {
        this(STARTS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors(), SLICE);
    }

    StartTurns(int atOnce, Duration slice) {
        this.free = atOnce;
        this.slice = slice;
    }

    /** A place among those that start, until it is closed or its time is over. */
    final class Turn implements AutoCloseable {

        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private boolean over;

        private Turn() {}

        @Override
        public void close() {
            leave(this);
        }
    }

    /**
     * Waits for a place.
     *
     * @throws CancellationException when the function is stopped before
     */
    Turn enter(StopSignal stop) throws InterruptedException {
        Turn turn = new Turn();
        synchronized (this) {
            waiting.add(turn);
            admit();
        }
        try {
            CompletableFuture.anyOf(turn.begun, stop.future()).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // neither of them fails
        } catch (InterruptedException e) {
            turn.close();
            throw e;
        }
        if (stop.stopped()) {
            turn.close();
            throw new CancellationException("The function is being stopped");
        }
        return turn;
    }

    /** Returns whether functions wait for their turn. */
    synchronized boolean crowded() {
        return !waiting.isEmpty();
    }

    private synchronized void leave(Turn turn) {
        if (turn.over) {
            return;
        }
        turn.over = true;
        if (!waiting.remove(turn)) {
            free++;
            admit();
        }
    }

    /** Holds the monitor. */
    private void admit() {
        while (free > 0 && !waiting.isEmpty()) {
            Turn next = waiting.remove();
            free--;
            next.begun.complete(null);
            CompletableFuture.delayedExecutor(slice.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(next::close);
        }
    }
}
