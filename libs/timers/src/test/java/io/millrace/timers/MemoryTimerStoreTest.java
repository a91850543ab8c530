package io.millrace.timers;

class MemoryTimerStoreTest extends TimerStoresContract {

    private final TimerStore store = new MemoryTimerStore();

    @Override
    TimerStore store() {
        return store;
    }
}
