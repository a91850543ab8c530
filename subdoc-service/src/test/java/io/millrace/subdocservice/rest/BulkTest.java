package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;

class BulkTest extends BulkContract {

    private final DocumentStore store = new MemoryDocumentStore(clock);

    @Override
    DocumentStore store() {
        return store;
    }
}
