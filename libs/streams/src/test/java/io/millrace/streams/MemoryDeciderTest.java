package io.millrace.streams;

import io.millrace.documents.Keyspace;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.streams.store.StreamStore;
import java.time.InstantSource;

class MemoryDeciderTest extends DeciderContract {

    private final MemoryDocumentStore documents = new MemoryDocumentStore(InstantSource.system());
    private final StreamStore store;
    private final StreamStore archive;

    MemoryDeciderTest() {
        documents.catalog().createBucket("primary", 1).join();
        documents.catalog().createBucket("archive", 1).join();
        store = StreamStores.on(documents, Keyspace.of("primary"));
        archive = StreamStores.on(documents, Keyspace.of("archive"));
    }

    @Override
    StreamStore store() {
        return store;
    }

    @Override
    StreamStore archive() {
        return archive;
    }

    @Override
    long calls() {
        return -1;
    }
}
