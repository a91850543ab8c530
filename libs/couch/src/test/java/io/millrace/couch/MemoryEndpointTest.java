package io.millrace.couch;

import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class MemoryEndpointTest extends EndpointContract {

    @Override
    protected CouchClient open() {
        return new InProcessCouch(new MemoryDocumentStore(InstantSource.system()));
    }
}
