package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.keyspace.IndexedQueryContract;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import java.time.InstantSource;

class MemoryIndexedQueryTest extends IndexedQueryContract {

    private final String bucket = StoreKit.uniqueBucket();

    @Override
    protected KeyspaceStore open() {
        DocumentStore store = new MemoryDocumentStore(InstantSource.system());
        StoreKit.await(store.catalog().createBucket(bucket, 2));
        return new DocumentKeyspaces(store, name -> true, () -> null);
    }

    @Override
    protected String bucket() {
        return bucket;
    }
}
