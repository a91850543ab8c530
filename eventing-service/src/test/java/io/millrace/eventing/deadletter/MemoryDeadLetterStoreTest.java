package io.millrace.eventing.deadletter;

import io.millrace.eventing.checkpoint.CheckpointStore;
import java.time.InstantSource;

class MemoryDeadLetterStoreTest extends DeadLetterStoreContract {

    private final CheckpointStore checkpoints = CheckpointStore.inMemory(InstantSource.system());
    private final DeadLetterStore store = DeadLetterStore.inMemory(checkpoints);

    @Override
    DeadLetterStore store() {
        return store;
    }

    @Override
    CheckpointStore checkpoints() {
        return checkpoints;
    }
}
