package io.millrace.benchmarks.suite;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Turns that come at a steady rate from now on, whatever delayed the ones before. Thread-safe. */
public final class Pace {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final long began = System.nanoTime();
    private final long perSecond;

    public Pace(long perSecond) {
        this.perSecond = perSecond;
    }

    /** Waits until it is the turn of a number; 0 is the first. */
    public void awaitTurn(long number) {
        awaitNanos(began + number * NANOS_PER_SECOND / perSecond);
    }

    /** Waits for as long as this. */
    public static void pause(Duration duration) {
        awaitNanos(System.nanoTime() + duration.toNanos());
    }

    private static void awaitNanos(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
