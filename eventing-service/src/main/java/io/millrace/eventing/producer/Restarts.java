package io.millrace.eventing.producer;

import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.runtime.RuntimeSettings;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a function that broke waits before it is started again: longer each time, from the start again after it ran
 * for as long as the longest wait. Not thread-safe.
 */
final class Restarts {

    private final Backoff backoff;
    private final Duration healthy;
    private final LongSupplier nanos;
    private long beganNanos;
    private boolean began;

    Restarts(RuntimeSettings settings, LongSupplier nanos) {
        this.backoff = new Backoff(settings.firstRestart(), settings.longestRestart());
        this.healthy = settings.longestRestart();
        this.nanos = nanos;
    }

    /** Notes that events flow from now on. */
    void began() {
        began = true;
        beganNanos = nanos.getAsLong();
    }

    /** Returns the wait that is due after a life that may have begun. */
    Duration next() {
        if (began && nanos.getAsLong() - beganNanos >= healthy.toNanos()) {
            backoff.reset();
        }
        began = false;
        return backoff.next();
    }
}
