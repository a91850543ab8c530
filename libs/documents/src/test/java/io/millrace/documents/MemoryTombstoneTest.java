package io.millrace.documents;

import java.time.InstantSource;

class MemoryTombstoneTest extends TombstoneContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
