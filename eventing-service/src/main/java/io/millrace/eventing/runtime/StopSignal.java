package io.millrace.eventing.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops loops and ends their waits. */
public final class StopSignal {

    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    public void stop() {
        stopped.complete(null);
    }

    public boolean stopped() {
        return stopped.isDone();
    }

    public CompletableFuture<Void> future() {
        return stopped.copy();
    }

    /** Waits for the signal; returns true if it came, now or before. */
    public boolean await(Duration atMost) throws InterruptedException {
        try {
            stopped.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }
}
