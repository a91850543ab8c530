package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.MergedChangesContract;
import java.time.InstantSource;

class MemoryMergedChangesTest extends MergedChangesContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
