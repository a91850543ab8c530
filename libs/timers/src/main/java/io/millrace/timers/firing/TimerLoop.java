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
 * <p>Waits are measured with the clock that never jumps. Alone, the loop never waits longer than {@link TimerLimits#SCAN_POLL},
 * so a new timer and a change of the wall clock are seen at once; in a loop that a {@link TimerWatch} wakes, the watch sees both.
 */
public final class TimerLoop implements AutoCloseable {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LAST_ANSWER_TIMEOUT = Duration.ofSeconds(5);

    private final TimerScanner scanner;
    private final Consumer<TimersException> failures;
    private final Duration longestPause;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean woken;

    /** Whether the latest call failed; used by the thread only. */
    private boolean failing;

    /**
     * @param name of the thread
     * @param failures receives the failure when the store cannot be reached, once until it can be again; the loop tries again
     *     until it is closed
     */
    public TimerLoop(String name, TimerScanner scanner, Consumer<TimersException> failures) {
        this(name, scanner, failures, TimerLimits.SCAN_POLL);
    }

    private TimerLoop(String name, TimerScanner scanner, Consumer<TimersException> failures, Duration longestPause) {
        this.scanner = scanner;
        this.failures = failures;
        this.longestPause = longestPause;
        thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /** Returns a loop that a {@link TimerWatch} will wake for new timers. */
    public static TimerLoop watched(String name, TimerScanner scanner, Consumer<TimersException> failures) {
        return new TimerLoop(name, scanner, failures, TimerLimits.WATCHED_POLL);
    }

    public void start() {
        thread.start();
    }

    /** Ends the wait: there is room again, callbacks have ended, or something may be due. */
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
            Duration pause = scanner.tick().get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            failing = false;
            return pause;
        } catch (ExecutionException e) {
            failed(e.getCause() instanceof TimersException known ? known : TimersException.unavailable(cause(e)));
        } catch (TimeoutException e) {
            failed(TimersException.unavailable(e));
        } catch (InterruptedException e) {
            closed = true;
        }
        return AFTER_FAILURE;
    }

    private void failed(TimersException failure) {
        if (!failing) {
            failing = true;
            failures.accept(failure);
        }
    }

    private static Throwable cause(ExecutionException e) {
        @Nullable Throwable cause = e.getCause();
        return cause == null ? e : cause;
    }

    private void pause(Duration duration) {
        if (duration.isZero()) {
            return;
        }
        long pause = Math.min(duration.toNanos(), longestPause.toNanos());
        long until = System.nanoTime() + pause;
        for (long left = pause; left > 0 && !woken && !closed; left = until - System.nanoTime()) {
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
