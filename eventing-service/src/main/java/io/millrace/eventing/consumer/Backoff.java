package io.millrace.eventing.consumer;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;

/**
 * How long to wait before the next attempt: twice as long each time up to a limit, and from the start again after a success.
 * Each wait is spread at random, so that the functions of a node do not all try again at the same moment after an outage.
 * Not thread-safe.
 */
public final class Backoff {

    private static final double MULTIPLIER = 2;

    /** A wait is shorter or longer by up to this share. */
    private static final double SPREAD = 0.5;

    private final IntervalFunction waits;

    /** The attempt with the longest wait: past the limit the interval function returns the limit itself, without spread. */
    private final int mostAttempts;

    private int attempt;

    /**
     * @param first the wait before the first repetition, without spread
     * @param longest the limit of a wait, spread included
     */
    public Backoff(Duration first, Duration longest) {
        this.waits = IntervalFunction.ofExponentialRandomBackoff(first, MULTIPLIER, SPREAD, longest);
        long doublings = Math.max(1, longest.toMillis() / first.toMillis());
        this.mostAttempts = Long.SIZE - Long.numberOfLeadingZeros(doublings);
    }

    /** Returns the wait that is due; the one after it is twice as long. */
    public Duration next() {
        attempt = Math.min(attempt + 1, mostAttempts);
        return Duration.ofMillis(waits.apply(attempt));
    }

    /** Starts from the first wait again, after a success. */
    public void reset() {
        attempt = 0;
    }
}
