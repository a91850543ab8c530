package io.millrace.timers.firing;

import io.millrace.timers.Timer;
import java.util.List;

/** Calls the callbacks of timers. Its methods must not block. */
public interface TimerSink {

    /** Returns how many timers it takes at the moment; no more are claimed. */
    int room();

    /** Calls the callbacks, in the order given; the end of each is reported to {@link TimerScanner#ended}. */
    void fire(List<Timer> timers);

    /** How a callback ended. */
    sealed interface Ending {

        /** It returned, or there is no function of its name any more: the timer is removed. */
        record Done() implements Ending {}

        /** It failed: the timer is fired again, or becomes a dead letter. */
        record Failed(String error) implements Ending {}

        /** It was not called: the timer is due as before. */
        record NotCalled() implements Ending {}

        Ending DONE = new Done();

        Ending NOT_CALLED = new NotCalled();
    }
}
