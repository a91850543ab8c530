package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class RandomKeyTest extends RandomKeyContract {

    @Override
    DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
