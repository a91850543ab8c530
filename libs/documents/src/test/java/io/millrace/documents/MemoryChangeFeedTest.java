package io.millrace.documents;

import java.time.InstantSource;

class MemoryChangeFeedTest extends ChangeFeedContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }
}
