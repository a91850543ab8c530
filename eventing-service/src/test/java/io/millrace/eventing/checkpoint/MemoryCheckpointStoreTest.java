package io.millrace.eventing.checkpoint;

import java.time.InstantSource;

class MemoryCheckpointStoreTest extends CheckpointStoreContract {

    private final CheckpointStore store = new MemoryCheckpointStore(InstantSource.system());

    @Override
    CheckpointStore store() {
        return store;
    }
}
