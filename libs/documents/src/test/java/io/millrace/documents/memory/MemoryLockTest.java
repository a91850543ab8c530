package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.LockContract;
import java.time.InstantSource;

class MemoryLockTest extends LockContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
