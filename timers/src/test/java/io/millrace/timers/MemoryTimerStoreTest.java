package io.millrace.timers;

class MemoryTimerStoreTest extends TimerStoreContract {

    private final TimerStore store = new MemoryTimerStore();

    @Override
    TimerStore store() {
        return store;
    }
}
