package io.millrace.worker;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has code loaded into the further threads of functions, one thread after another, while no function of the process is starting: a
 * function is there with its first thread, and the others would keep those waiting that are not. Thread-safe.
 */
final class LoadTurns {

    /** Has code loaded; completes when it is, or never will be. */
    interface Load extends Supplier<CompletableFuture<@Nullable Void>> {}

    // guarded by this
    private final ArrayDeque<Load> waiting = new ArrayDeque<>();
    private int starting;
    private boolean loading;

    /** Notes that a function begins to start. */
    synchronized void begin() {
        starting++;
    }

    /** Notes that a function has started, or will not. */
    void end() {
        synchronized (this) {
            starting--;
        }
        next();
    }

    /** Adds what is to be loaded some time. */
    void add(Collection<Load> loads) {
        synchronized (this) {
            waiting.addAll(loads);
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
        if (starting > 0 || loading || waiting.isEmpty()) {
            return null;
        }
        loading = true;
        return waiting.remove();
    }

    private synchronized void over() {
        loading = false;
    }
}
