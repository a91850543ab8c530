package io.millrace.subdocservice.rest.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets live queries send events a few at a time when one change reaches many of them, so that other requests are answered in
 * between. The last of them sends about {@link LiveLimits#LONGEST_TURN} later; one of few does not wait. Thread-safe.
 */
final class LiveTurns {

    private static final int SLICES = (int) LiveLimits.LONGEST_TURN.dividedBy(LiveLimits.PAUSE);

    private final LongSupplier nanos;
    private final Executor afterPause;
    private final Queue<CompletableFuture<Void>> waiting = new ArrayDeque<>();

    /** How many go on after each pause, until none waits. */
    private int slice;

    private long begun;
    private int gone;

    LiveTurns() {
        this(System::nanoTime, CompletableFuture.delayedExecutor(LiveLimits.PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** @param afterPause runs each task after {@link LiveLimits#PAUSE} */
    LiveTurns(LongSupplier nanos, Executor afterPause) {
        this.nanos = nanos;
        this.afterPause = afterPause;
        this.begun = nanos.getAsLong();
    }

    /** Returns a future that ends, on any thread, when it is the turn of a query that has events to send. */
    CompletableFuture<Void> next() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        synchronized (this) {
            if (!waiting.isEmpty() || !mayGoAtOnce()) {
                waiting.add(turn);
                if (waiting.size() == 1) {
                    afterPause.execute(this::goOn);
                }
                return turn;
            }
        }
        turn.complete(null);
        return turn;
    }

    private boolean mayGoAtOnce() {
        long now = nanos.getAsLong();
        if (now - begun >= LiveLimits.PAUSE.toNanos()) {
            begun = now;
            gone = 0;
        }
        return gone++ < LiveLimits.QUERIES_AT_ONCE;
    }

    private void goOn() {
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        synchronized (this) {
            slice = Math.max(Math.max(slice, LiveLimits.QUERIES_AT_ONCE), Math.ceilDiv(waiting.size(), SLICES));
            while (turns.size() < slice && !waiting.isEmpty()) {
                turns.add(waiting.remove());
            }
            begun = nanos.getAsLong();
            gone = turns.size();
            if (waiting.isEmpty()) {
                slice = 0;
            } else {
                afterPause.execute(this::goOn);
            }
        }
        turns.forEach(turn -> turn.complete(null));
    }
}
