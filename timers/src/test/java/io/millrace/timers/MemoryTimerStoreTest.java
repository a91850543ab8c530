package io.millrace.timers;

import org.junit.jupiter.api.Nested;

class MemoryTimerStoreTest extends TimerStoreContract {

    private final TimerStore store = new MemoryTimerStore();

    @Override
    TimerStore store() {
        return store;
    }

    @Nested
    class Shards extends TimerShardsContract {

        @Override
        TimerStore store() {
            return store;
        }
    }

    @Nested
    class OfAShardedBucket extends TimerStoreContract {

        @Override
        TimerStore store() {
            return store;
        }

        @Override
        int shards() {
            return 16;
        }
    }
}
