package io.millrace.documents;

import java.time.InstantSource;

class MemoryExpiryTest extends ExpiryContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
