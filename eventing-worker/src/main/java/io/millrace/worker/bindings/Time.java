package io.millrace.worker.bindings;

import java.time.Duration;

/** A clock to measure with and to sleep by. */
public interface Time {

    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration pause) throws InterruptedException {
            Thread.sleep(pause);
        }
    };

    /** Returns {@link System#nanoTime}: only differences mean something. */
    long nanos();

    void sleep(Duration pause) throws InterruptedException;
}
