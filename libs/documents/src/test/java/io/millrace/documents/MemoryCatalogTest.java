package io.millrace.documents;

import java.time.InstantSource;

class MemoryCatalogTest extends CatalogContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
