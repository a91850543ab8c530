package io.millrace.eventing.checkpoint;

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
