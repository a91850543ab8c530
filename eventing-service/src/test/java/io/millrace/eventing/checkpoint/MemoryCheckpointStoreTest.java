package io.millrace.eventing.checkpoint;

class MemoryCheckpointStoreTest extends CheckpointStoreContract {

    private final CheckpointStore store = new MemoryCheckpointStore();

    @Override
    CheckpointStore store() {
        return store;
    }
}
