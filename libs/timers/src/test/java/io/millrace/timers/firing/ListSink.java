package io.millrace.timers.firing;

import io.millrace.timers.Timer;
import java.util.List;

/** Has room for every timer, and keeps those that fire in a list. */
record ListSink(List<Timer> fired) implements TimerSink {

    private static final int ROOM = 100;

    @Override
    public int room() {
        return ROOM;
    }

    @Override
    public void fire(List<Timer> timers) {
        fired.addAll(timers);
    }
}
