package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;

class LiveQueriesTest extends LiveQueriesContract {

    private final DocumentStore store = new MemoryDocumentStore(clock);

    @Override
    DocumentStore store() {
        return store;
    }
}
