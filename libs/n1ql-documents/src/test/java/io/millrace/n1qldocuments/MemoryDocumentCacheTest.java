package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;

class MemoryDocumentCacheTest extends DocumentCacheContract {

    @Override
    protected DocumentStore open(StoreKit.Clock time) {
        return new MemoryDocumentStore(time);
    }
}
