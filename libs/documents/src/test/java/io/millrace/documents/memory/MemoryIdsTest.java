package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdsContract;
import java.time.InstantSource;

class MemoryIdsTest extends IdsContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
