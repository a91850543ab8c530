package io.millrace.documents;

import java.time.InstantSource;

class MemoryDocumentStoreTest extends DocumentStoreContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
