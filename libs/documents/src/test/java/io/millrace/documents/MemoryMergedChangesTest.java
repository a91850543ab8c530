package io.millrace.documents;

import java.time.InstantSource;

class MemoryMergedChangesTest extends MergedChangesContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
