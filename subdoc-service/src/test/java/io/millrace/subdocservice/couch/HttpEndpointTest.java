package io.millrace.subdocservice.couch;

import io.millrace.couch.CouchClient;
import io.millrace.couch.EndpointContract;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class HttpEndpointTest extends EndpointContract {

    @Override
    protected CouchClient open() {
        return new HttpCouchClient(new MemoryDocumentStore(InstantSource.system()));
    }
}
