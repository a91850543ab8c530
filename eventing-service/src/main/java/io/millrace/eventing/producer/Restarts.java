package io.millrace.eventing.producer;

import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a function that failed waits before its restart: longer each time, and from the first wait again after a run
 * as long as the longest wait. Not thread-safe.
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

    /** Returns the wait before the next restart. */
    Duration next() {
        if (began && nanos.getAsLong() - beganNanos >= healthy.toNanos()) {
            backoff.reset();
        }
        began = false;
        return backoff.next();
    }
}
