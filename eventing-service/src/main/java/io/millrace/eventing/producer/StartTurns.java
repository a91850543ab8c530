package io.millrace.eventing.producer;

import io.millrace.eventing.runtime.StopSignal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
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

    /** After so long a start that has not ended, such as that of code that hangs, no longer counts as under way. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** Who deploys often deploys again within so long. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** After so many quiets some functions never stop starting, such as those that fail again and again. */
    private static final int LONGEST_SERIES = 12;

    private static final int STARTS_PER_PROCESSOR = 4;

    private final Duration slice;
    private final Duration longest;
    private final Duration quiet;

    // guarded by this
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private final Set<Turn> underWay = new HashSet<>();
    private int free;
    private long lastEnd;
    /** When the first start began since the last quiet. */
    private long seriesBegan;

    StartTurns() {
        this(STARTS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors(), SLICE, LONGEST, QUIET);
    }

    /** @param quiet for how long no function must have been starting until the turns are not crowded */
    StartTurns(int atOnce, Duration slice, Duration longest, Duration quiet) {
        this.free = atOnce;
        this.slice = slice;
        this.longest = longest;
        this.quiet = quiet;
        this.lastEnd = System.nanoTime() - quiet.toNanos();
    }

    /** A place among those that start, until it is closed or its time is over. */
    final class Turn implements AutoCloseable {

        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private boolean over;

        private Turn() {}

        @Override
        public void close() {
            end(this);
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
            if (quiet()) {
                seriesBegan = System.nanoTime();
            }
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

    /**
     * Returns whether functions wait for their turn, are starting and have not been at it for too long, or have been starting a
     * moment ago, so that more are likely to; unless that has been so for long.
     */
    synchronized boolean crowded() {
        return starting() || !quiet() && System.nanoTime() - seriesBegan < quiet.toNanos() * LONGEST_SERIES;
    }

    /** Holds the monitor. */
    private boolean starting() {
        return !waiting.isEmpty() || !underWay.isEmpty();
    }

    /** Holds the monitor. */
    private boolean quiet() {
        return !starting() && System.nanoTime() - lastEnd >= quiet.toNanos();
    }

    private synchronized void end(Turn turn) {
        if (underWay.remove(turn)) {
            lastEnd = System.nanoTime();
        }
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
            underWay.add(next);
            next.begun.complete(null);
            after(slice, () -> leave(next));
            after(longest, () -> end(next));
        }
    }

    private static void after(Duration delay, Runnable action) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(action);
    }
}
