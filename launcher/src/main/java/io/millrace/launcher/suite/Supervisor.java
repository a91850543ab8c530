package io.millrace.launcher.suite;

import io.github.resilience4j.core.IntervalFunction;
import io.millrace.launcher.LauncherException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Restarts a program that ends unexpectedly: after about half a second, then after a pause that doubles with each attempt,
 * up to about half a minute. A program that ran for a minute starts over with the first pause. Pauses are randomized by up
 * to half, so that services that crashed together do not restart together.
 */
final class Supervisor {

    /** Without a longest interval: the library limits after randomizing, so that all long pauses would be equal. */
    private static final IntervalFunction BACKOFF = IntervalFunction.ofExponentialRandomBackoff(
            Duration.ofMillis(500), 2, IntervalFunction.DEFAULT_RANDOMIZATION_FACTOR);

    /** The attempt with the longest pause, 32 s on average. */
    private static final int LAST_LONGER_ATTEMPT = 7;

    static final Duration STEADY_AFTER = Duration.ofMinutes(1);

    private final Program program;
    private final Consumer<String> say;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The program to keep running. */
    interface Program {
        String name();

        /** Waits until the program has ended. */
        void awaitEnd() throws InterruptedException;

        /** Starts the program again; a {@link LauncherException} is reported and counts as another end. */
        void restart();

        /** Describes how the program ended, with the end of its log. */
        String exitReport();
    }

    private Supervisor(Program program, Consumer<String> say) {
        this.program = program;
        this.say = say;
    }

    /** Supervises a running program until {@link #close}. */
    static Supervisor watch(Program program, Consumer<String> say) {
        Supervisor supervisor = new Supervisor(program, say);
        Thread.ofVirtual().name("supervisor-" + program.name()).start(supervisor::run);
        return supervisor;
    }

    /** Stops supervising: the program may end from now on. */
    void close() {
        closed.countDown();
    }

    private void run() {
        int attempt = 1;
        try {
            while (true) {
                long started = System.nanoTime();
                program.awaitEnd();
                if (isClosed()) {
                    return;
                }
                if (System.nanoTime() - started > STEADY_AFTER.toNanos()) {
                    attempt = 1;
                }
                long pauseMillis = pauseMillis(attempt);
                say.accept(program.name() + " ended unexpectedly and restarts in " + pauseMillis + " ms. "
                        + program.exitReport());
                if (closed.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                    return;
                }
                attempt++;
                restart();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the pause before a restart; the first attempt is 1. */
    static long pauseMillis(int attempt) {
        return BACKOFF.apply(Math.min(attempt, LAST_LONGER_ATTEMPT));
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void restart() {
        try {
            program.restart();
        } catch (LauncherException e) {
            say.accept(program.name() + " could not be restarted: " + e.getMessage());
        }
    }
}
