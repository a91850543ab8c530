package io.millrace.subdocservice.couch;

import io.millrace.couch.CouchClient;
import io.millrace.couch.CouchContract;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class MemoryCouchTest extends CouchContract {

    @Override
    protected DocumentStore store() {
        return new MemoryDocumentStore(InstantSource.system());
    }

    @Override
    protected CouchClient client(DocumentStore store) {
        return new HttpCouchClient(store);
    }
}
