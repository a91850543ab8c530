package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The deadlines of a worker: to get ready, to give a sign of life, to answer. */
final class Deadlines {

    /** A worker at rest is looked at so often within the time in which it must give a sign of life. */
    private static final int LOOKS_AT_REST = 10;

    private final long startNanos;
    private final long silenceNanos;
    private final long nanosPerEvent;
    private final long answerNanos;

    // guarded by the consumer's lock
    private long progressNanos;
    private Duration usedThen = Duration.ZERO;

    Deadlines(DeliverySettings settings, WorkerSetup setup) {
        this.startNanos = settings.startTimeout().toNanos();
        this.silenceNanos = settings.silenceTimeout().toNanos();
        this.nanosPerEvent = TimeUnit.MILLISECONDS.toNanos(setup.limits().executionTimeoutMillis());
        this.answerNanos = TimeUnit.MILLISECONDS.toNanos(setup.limits().writePatienceMillis())
                + settings.answerGrace().toNanos();
    }

    /** Notes that a worker is being started. */
    void begin() {
        progressNanos = System.nanoTime();
        usedThen = Duration.ZERO;
    }

    /** Returns whether a worker has nothing to get done; only its silence is of interest. */
    static boolean none(boolean serving, Outbox outbox) {
        return serving && outbox.inFlightEvents() == 0;
    }

    /** Returns how long a worker without deadlines need not be looked at: it may be silent for longer. */
    static Duration rest(DeliverySettings settings) {
        return settings.silenceTimeout().dividedBy(LOOKS_AT_REST);
    }

    /**
     * Returns what the worker has failed to do in time, or null.
     *
     * @param serving whether it has been ready
     * @param starting the worker that is being started, or null
     */
    @Nullable
    String missed(boolean serving, long heardNanos, Outbox outbox, WorkerLauncher.@Nullable Worker starting) {
        if (serving) {
            return missedByServing(heardNanos, outbox);
        }
        return starting == null ? null : missedByStarting(starting.processorTime());
    }

    /**
     * Returns what a starting worker has failed to do in time, or null. Many workers that start at once need long, but
     * then their process is at work.
     *
     * @param used the processor time of its process
     */
    private @Nullable String missedByStarting(Duration used) {
        if (used.compareTo(usedThen) > 0) {
            usedThen = used;
            progressNanos = System.nanoTime();
        }
        return System.nanoTime() - progressNanos > startNanos ? "getting ready" : null;
    }

    /** Returns what a worker that is ready has failed to do in time, or null. */
    private @Nullable String missedByServing(long heardNanos, Outbox outbox) {
        long now = System.nanoTime();
        if (now - heardNanos > silenceNanos) {
            return "a sign of life";
        }
        return outbox.overdue(now, nanosPerEvent, answerNanos) ? "an answer" : null;
    }
}
