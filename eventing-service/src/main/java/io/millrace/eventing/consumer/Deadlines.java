package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The deadlines of a worker: to get ready, to give a sign of life, to answer. */
final class Deadlines {

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
        this.answerNanos = TimeUnit.MILLISECONDS.toNanos(setup.writePatienceMillis())
                + settings.answerGrace().toNanos();
    }

    /** Calls {@code look} at regular intervals until {@code ended} completes. */
    static void watch(CompletableFuture<?> ended, Duration interval, Runnable look) {
        while (true) {
            try {
                ended.get(interval.toNanos(), TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                look.run();
            } catch (ExecutionException | InterruptedException e) {
                return;
            }
        }
    }

    /** Notes that a worker is being started. */
    void begin() {
        progressNanos = System.nanoTime();
        usedThen = Duration.ZERO;
    }

    /**
     * Returns what a starting worker has failed to do in time, or null. Many workers that start at once need long, but
     * then their process is at work.
     *
     * @param used the processor time of its process
     */
    @Nullable
    String missedByStarting(Duration used) {
        if (used.compareTo(usedThen) > 0) {
            usedThen = used;
            progressNanos = System.nanoTime();
        }
        return System.nanoTime() - progressNanos > startNanos ? "getting ready" : null;
    }

    /** Returns what a worker that is ready has failed to do in time, or null. */
    @Nullable
    String missedByServing(long heardNanos, Outbox outbox) {
        long now = System.nanoTime();
        if (now - heardNanos > silenceNanos) {
            return "a sign of life";
        }
        return outbox.overdue(now, nanosPerEvent, answerNanos) ? "an answer" : null;
    }
}
