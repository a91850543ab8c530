package io.millrace.couch;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class MemoryChangesTest extends ChangesContract {

    @Override
    protected DocumentStore store() {
        return new MemoryDocumentStore(InstantSource.system());
    }

    @Override
    protected CouchClient client(DocumentStore store) {
        return new InProcessCouch(store);
    }
}
