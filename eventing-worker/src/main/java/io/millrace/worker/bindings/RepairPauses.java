package io.millrace.worker.bindings;

import io.github.resilience4j.core.IntervalFunction;
import io.millrace.worker.WorkerLimits;
import java.time.Duration;

/**
 * The pauses of one caller between its attempts to reach a store that is away: each about twice as long as the one
 * before it, up to a limit, and all of them random by half, so that the threads of all workers do not return at the
 * same moment.
 */
final class RepairPauses {

    private static final double FACTOR = 2;
    private static final double JITTER = 0.5;

    /**
     * The attempt with the longest pause: 640 ms, longer or shorter by half. After a further one the interval function
     * would return the limit itself, equal for all callers.
     */
    private static final int LONGEST_PAUSE_ATTEMPT = 6;

    private static final IntervalFunction PAUSES = IntervalFunction.ofExponentialRandomBackoff(
            WorkerLimits.FIRST_REPAIR_PAUSE, FACTOR, JITTER, WorkerLimits.LONGEST_REPAIR_PAUSE);

    private int attempts;

    /** Returns how long to wait before the next attempt. */
    Duration next() {
        attempts = Math.min(attempts + 1, LONGEST_PAUSE_ATTEMPT);
        return Duration.ofMillis(PAUSES.apply(attempts));
    }
}
