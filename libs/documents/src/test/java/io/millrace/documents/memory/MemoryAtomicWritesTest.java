package io.millrace.documents.memory;

import io.millrace.documents.AtomicWritesContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class MemoryAtomicWritesTest extends AtomicWritesContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
