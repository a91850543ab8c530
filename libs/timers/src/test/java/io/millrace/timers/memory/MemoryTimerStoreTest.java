package io.millrace.timers.memory;

import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStoresContract;

class MemoryTimerStoreTest extends TimerStoresContract {

    private final TimerStore store = new MemoryTimerStore();

    @Override
    protected TimerStore store() {
        return store;
    }
}
