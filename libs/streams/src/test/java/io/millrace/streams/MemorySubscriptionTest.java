package io.millrace.streams;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.streams.store.StreamStore;
import java.time.InstantSource;

class MemorySubscriptionTest extends SubscriptionContract {

    private final MemoryDocumentStore documents = new MemoryDocumentStore(InstantSource.system());
    private final StreamStore store;

    MemorySubscriptionTest() {
        documents.catalog().createBucket("primary", 1).join();
        documents.catalog().createBucket("checkpoints", 1).join();
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
    Keyspace other() {
        return Keyspace.of("checkpoints");
    }

    @Override
    StreamStore store() {
        return store;
    }
}
