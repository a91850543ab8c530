package io.millrace.documents;

import java.time.InstantSource;

class MemoryLockTest extends LockContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
