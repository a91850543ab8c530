package io.millrace.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the process become warm, and then code loaded that nothing waits for, into one thread after another, once no function of the
 * process has been starting for a while: both would keep those waiting that are. Thread-safe.
 */
final class LoadTurns {

    /** Has code loaded; completes when it is, or never will be. */
    interface Load extends Supplier<CompletableFuture<@Nullable Void>> {}

    private static final Duration QUIET = Duration.ofSeconds(1);

    private final Duration quiet;

    // guarded by this
    private final ArrayDeque<Load> waiting = new ArrayDeque<>();
    private int starting;
    private long lastStart;
    private boolean loading;

    LoadTurns() {
        this(QUIET);
    }

    /** @param quiet for how long no function must have been starting; 0 calls loads from the callers of the methods */
    LoadTurns(Duration quiet) {
        this.quiet = quiet;
        this.lastStart = System.nanoTime() - quiet.toNanos();
    }

    /** Notes that a function begins to start. */
    synchronized void begin() {
        starting++;
    }

    /** Notes that a function has started, or will not. */
    void end() {
        synchronized (this) {
            starting--;
            lastStart = System.nanoTime();
        }
        if (quiet.isZero()) {
            next();
        } else {
            CompletableFuture.delayedExecutor(quiet.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::next);
        }
    }

    /** Adds what is to be loaded some time. */
    void add(Collection<Load> loads) {
        synchronized (this) {
            waiting.addAll(loads);
        }
        next();
    }

    /** Adds what is to be done before any of these. */
    void addFirst(Load load) {
        synchronized (this) {
            waiting.addFirst(load);
        }
        next();
    }

    private void next() {
        for (Load load = take(); load != null; load = take()) {
            CompletableFuture<@Nullable Void> loaded = load.get();
            if (!loaded.isDone()) {
                loaded.whenComplete((done, failure) -> {
                    over();
                    next();
                });
                return;
            }
            over();
        }
    }

    private synchronized @Nullable Load take() {
        boolean noisy = starting > 0 || System.nanoTime() - lastStart < quiet.toNanos();
        if (noisy || loading || waiting.isEmpty()) {
            return null;
        }
        loading = true;
        return waiting.remove();
    }

    private synchronized void over() {
        loading = false;
    }
}
