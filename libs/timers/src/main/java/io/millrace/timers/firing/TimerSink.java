package io.millrace.timers.firing;

import io.millrace.timers.Timer;
import java.util.List;

/** Calls the callbacks of timers. Its methods must not block. */
public interface TimerSink {

    /** Returns how many timers it takes at the moment; no more are claimed. */
    int room();

    /** Calls the callbacks, in the order given; the end of each is reported to {@link TimerScanner#ended}. */
    void fire(List<Timer> timers);
}
