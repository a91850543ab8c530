package io.millrace.eventing.producer;

import io.millrace.eventing.runtime.StopSignal;
import java.util.concurrent.Semaphore;

/** Lets one thread wait until it is needed. Calls do not add up. */
final class Attention {

    private final Semaphore called = new Semaphore(0);

    /** Wakes the thread, or keeps it from its next wait. */
    void call() {
        if (called.availablePermits() == 0) {
            called.release();
        }
    }

    /** Waits for a call, which has to come also after a stop; returns whether to go on. */
    boolean await(StopSignal stop) throws InterruptedException {
        called.acquire();
        called.drainPermits();
        return !stop.stopped();
    }
}
