package io.millrace.eventing.http.requests;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Counts the requests that this node works on. Thread-safe. */
final class Slots {

    private final int perFunction;
    private final int all;
    private final Map<String, Integer> taken = new HashMap<>();
    private int sum;

    Slots(int perFunction, int all) {
        this.perFunction = perFunction;
        this.all = all;
    }

    /** Takes a slot for a request to a function; returns nothing when there is none. */
    synchronized Optional<Slot> take(String function) {
        int own = taken.getOrDefault(function, 0);
        if (own >= perFunction || sum >= all) {
            return Optional.empty();
        }
        taken.put(function, own + 1);
        sum++;
        return Optional.of(new Slot(function));
    }

    private synchronized void free(String function) {
        taken.computeIfPresent(function, (name, own) -> own == 1 ? null : own - 1);
        sum--;
    }

    /** The place of one request: from before its body is read until the worker is done, however long its client waits. */
    final class Slot {

        private final String function;
        private boolean kept;
        private boolean freed;

        private Slot(String function) {
            this.function = function;
        }

        /** Keeps the slot until the worker is done with the request. */
        void keepUntil(CompletableFuture<?> done) {
            synchronized (this) {
                kept = true;
            }
            done.whenComplete((result, failure) -> end());
        }

        /** Frees the slot of a request that did not come to a worker. */
        void release() {
            boolean idle;
            synchronized (this) {
                idle = !kept;
            }
            if (idle) {
                end();
            }
        }

        /** Frees the slot if it is not free. */
        void end() {
            synchronized (this) {
                if (freed) {
                    return;
                }
                freed = true;
            }
            free(function);
        }
    }
}
