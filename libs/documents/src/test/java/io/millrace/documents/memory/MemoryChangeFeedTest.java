package io.millrace.documents.memory;

import io.millrace.documents.ChangeFeedContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class MemoryChangeFeedTest extends ChangeFeedContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
