package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.ExpiryContract;
import java.time.InstantSource;

class MemoryExpiryTest extends ExpiryContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
