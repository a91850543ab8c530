package io.millrace.eventing.deadletter;

import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.checkpoint.MemoryCheckpointStore;
import java.time.InstantSource;

class MemoryDeadLetterStoreTest extends DeadLetterStoreContract {

    private final CheckpointStore checkpoints = new MemoryCheckpointStore(InstantSource.system());
    private final DeadLetterStore store = new MemoryDeadLetterStore(checkpoints);

    @Override
    DeadLetterStore store() {
        return store;
    }

    @Override
    CheckpointStore checkpoints() {
        return checkpoints;
    }
}
