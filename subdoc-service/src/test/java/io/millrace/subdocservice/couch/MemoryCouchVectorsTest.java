package io.millrace.subdocservice.couch;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class MemoryCouchVectorsTest extends CouchVectorsContract {

    @Override
    DocumentStore store() {
        return new MemoryDocumentStore(InstantSource.system());
    }
}
