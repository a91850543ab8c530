package io.millrace.eventing.lasthandled;

import io.millrace.eventing.checkpoint.CheckpointStore;
import java.time.InstantSource;

class MemoryLastHandledStoreTest extends LastHandledStoreContract {

    private final CheckpointStore checkpoints = CheckpointStore.inMemory(InstantSource.system());
    private final LastHandledStore store = LastHandledStore.inMemory(checkpoints);

    @Override
    LastHandledStore store() {
        return store;
    }

    @Override
    CheckpointStore checkpoints() {
        return checkpoints;
    }
}
