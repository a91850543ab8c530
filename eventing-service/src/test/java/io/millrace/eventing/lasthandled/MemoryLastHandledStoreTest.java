package io.millrace.eventing.lasthandled;

import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.checkpoint.MemoryCheckpointStore;
import java.time.InstantSource;

class MemoryLastHandledStoreTest extends LastHandledStoreContract {

    private final CheckpointStore checkpoints = new MemoryCheckpointStore(InstantSource.system());
    private final LastHandledStore store = new MemoryLastHandledStore(checkpoints);

    @Override
    LastHandledStore store() {
        return store;
    }

    @Override
    CheckpointStore checkpoints() {
        return checkpoints;
    }
}
