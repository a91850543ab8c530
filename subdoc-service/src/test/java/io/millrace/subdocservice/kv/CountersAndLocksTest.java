package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.MemoryDocumentStore;
import java.time.InstantSource;

class CountersAndLocksTest extends CountersAndLocksContract {

    @Override
    DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
