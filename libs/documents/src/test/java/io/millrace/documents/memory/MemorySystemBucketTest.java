package io.millrace.documents.memory;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.SystemBucketContract;
import java.time.InstantSource;

class MemorySystemBucketTest extends SystemBucketContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
