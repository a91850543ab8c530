package io.millrace.documents.memory;

import io.millrace.documents.CatalogContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class MemoryCatalogTest extends CatalogContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
