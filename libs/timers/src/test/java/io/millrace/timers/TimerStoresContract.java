package io.millrace.timers;

import org.junit.jupiter.api.Nested;

/** What a store does, with one shard and with many. */
abstract class TimerStoresContract extends TimerStoreContract {

    @Nested
    class Shards extends TimerShardsContract {

        @Override
        TimerStore store() {
            return TimerStoresContract.this.store();
        }
    }

    @Nested
    class OfAShardedBucket extends TimerStoreContract {

        @Override
        TimerStore store() {
            return TimerStoresContract.this.store();
        }

        @Override
        int shards() {
            return 16;
        }
    }
}
