package io.millrace.documents.memory;

import io.millrace.documents.CasContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class MemoryCasTest extends CasContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
