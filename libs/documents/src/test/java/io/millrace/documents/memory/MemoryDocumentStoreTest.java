package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStoreContract;
import java.time.InstantSource;

class MemoryDocumentStoreTest extends DocumentStoreContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
