package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.TombstoneContract;
import java.time.InstantSource;

class MemoryTombstoneTest extends TombstoneContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
