package io.millrace.timers.firing;

import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimersException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a scanner work in real time, on a thread of its own.
 *
 * <p>Waits are measured with the clock that never jumps and are never longer than {@link TimerLimits#SCAN_POLL}, so a
 * change of the wall clock is seen at once.
 */
public final class TimerLoop implements AutoCloseable {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LAST_ANSWER_TIMEOUT = Duration.ofSeconds(5);

    private final TimerScanner scanner;
    private final Consumer<TimersException> failures;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean woken;

    /**
     * @param name of the thread
     * @param failures receives the failure when the store cannot be reached; the loop tries again until it is closed
     */
    public TimerLoop(String name, TimerScanner scanner, Consumer<TimersException> failures) {
        this.scanner = scanner;
        this.failures = failures;
        thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Ends the wait: there is room again, or callbacks have ended. */
    public void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            woken = false;
            pause(tick());
        }
    }

    private Duration tick() {
        try {
            return scanner.tick().get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            failures.accept(
                    e.getCause() instanceof TimersException known ? known : TimersException.unavailable(cause(e)));
        } catch (TimeoutException e) {
            failures.accept(TimersException.unavailable(e));
        } catch (InterruptedException e) {
            closed = true;
        }
        return AFTER_FAILURE;
    }

    private static Throwable cause(ExecutionException e) {
        @Nullable Throwable cause = e.getCause();
        return cause == null ? e : cause;
    }

    private void pause(Duration duration) {
        if (duration.isZero()) {
            return;
        }
        long until = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0 && !woken && !closed; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Ends the thread, after reporting to the store once more how callbacks ended. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(LAST_ANSWER_TIMEOUT);
            }
            scanner.giveUp();
            scanner.tick().get(LAST_ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            failures.accept(TimersException.unavailable(e));
        }
    }
}
