package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class MemoryExecutorTest extends ExecutorContract {

    @Override
    DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
