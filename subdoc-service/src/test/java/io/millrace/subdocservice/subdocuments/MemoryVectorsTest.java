package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdoc.Road;
import io.millrace.subdoc.SubdocContract;

class MemoryVectorsTest extends SubdocContract {

    @Override
    protected Road road() {
        StoreKit.Clock clock = new StoreKit.Clock();
        return new StoreRoad(new MemoryDocumentStore(clock), clock);
    }
}
