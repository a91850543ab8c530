package io.millrace.timers;

import org.junit.jupiter.api.Nested;

/** What a store does, with one shard and with many. */
public abstract class TimerStoresContract extends TimerStoreContract {

    @Nested
    class Shards extends TimerShardsContract {

        @Override
        protected TimerStore store() {
            return TimerStoresContract.this.store();
        }
    }

    @Nested
    class OfAShardedBucket extends TimerStoreContract {

        @Override
        protected TimerStore store() {
            return TimerStoresContract.this.store();
        }

        @Override
        int shards() {
            return 16;
        }
    }
}
