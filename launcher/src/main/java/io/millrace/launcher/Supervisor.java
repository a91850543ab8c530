package io.millrace.launcher;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts a program again whenever it ends by itself: after half a second the first time, twice as late each next time
 * up to half a minute, and quickly again once it has run for a minute.
 */
final class Supervisor {

    static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    static final Duration STEADY_AFTER = Duration.ofMinutes(1);

    private final Program program;
    private final Consumer<String> say;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What is kept running. */
    interface Program {
        String name();

        /** Returns when the program has ended. */
        void awaitEnd() throws InterruptedException;

        /** Starts it again; a failure is said and counts as another end. */
        void restart();

        /** How it ended and the tail of its log. */
        String lastWords();
    }

    private Supervisor(Program program, Consumer<String> say) {
        this.program = program;
        this.say = say;
    }

    /** Watches a running program until {@link #close}. */
    static Supervisor watch(Program program, Consumer<String> say) {
        Supervisor supervisor = new Supervisor(program, say);
        Thread.ofVirtual().name("supervisor-" + program.name()).start(supervisor::run);
        return supervisor;
    }

    /** From now on an end of the program is what somebody wanted. */
    void close() {
        closed.countDown();
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        try {
            while (true) {
                long started = System.nanoTime();
                program.awaitEnd();
                if (isClosed()) {
                    return;
                }
                if (System.nanoTime() - started > STEADY_AFTER.toNanos()) {
                    pause = FIRST_PAUSE;
                }
                say.accept(program.name() + " ended by itself and is started again in " + pause.toMillis() + " ms. "
                        + program.lastWords());
                if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                pause = longer(pause);
                restart();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void restart() {
        try {
            program.restart();
        } catch (LauncherException e) {
            say.accept(program.name() + " could not be started again: " + e.getMessage());
        }
    }

    static Duration longer(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }
}
