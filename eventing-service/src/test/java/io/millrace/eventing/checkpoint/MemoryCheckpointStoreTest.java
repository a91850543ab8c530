package io.millrace.eventing.checkpoint;

import java.time.InstantSource;

class MemoryCheckpointStoreTest extends CheckpointStoreContract {

    private final CheckpointStore store = CheckpointStore.inMemory(InstantSource.system());

    @Override
    CheckpointStore store() {
        return store;
    }
}
