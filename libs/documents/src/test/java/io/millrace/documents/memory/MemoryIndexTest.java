package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.IndexContract;
import java.time.InstantSource;

class MemoryIndexTest extends IndexContract {

    private DocumentStore store;

    @Override
    protected DocumentStore open(InstantSource clock) {
        if (store == null) {
            store = new MemoryDocumentStore(clock);
        }
        return store;
    }
}
