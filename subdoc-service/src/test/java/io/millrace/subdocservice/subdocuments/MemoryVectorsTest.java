package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdoc.SubdocContract;
import io.millrace.subdoc.VectorRunner;

class MemoryVectorsTest extends SubdocContract {

    @Override
    protected VectorRunner runner() {
        StoreKit.Clock clock = new StoreKit.Clock();
        return new StoreRunner(new MemoryDocumentStore(clock), clock);
    }
}
