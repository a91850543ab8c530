package io.millrace.streams;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.streams.store.StreamStore;
import java.time.InstantSource;

class MemoryEventFeedTest extends EventFeedContract {

    private final MemoryDocumentStore documents = new MemoryDocumentStore(InstantSource.system());
    private final StreamStore store;

    MemoryEventFeedTest() {
        documents.catalog().createBucket("primary", 1).join();
        store = StreamStores.on(documents, keyspace());
    }

    @Override
    DocumentStore documents() {
        return documents;
    }

    @Override
    Keyspace keyspace() {
        return Keyspace.of("primary");
    }

    @Override
    StreamStore store() {
        return store;
    }
}
