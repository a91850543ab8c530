package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.StoreKit;
import io.millrace.documents.redis.RedisKit;
import io.millrace.n1ql.keyspace.KeyspaceContract;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import java.time.InstantSource;

class RedisDocumentKeyspacesIT extends KeyspaceContract {

    private final String bucket = StoreKit.uniqueBucket();

    @Override
    protected KeyspaceStore open() {
        DocumentStore store = RedisKit.shared().store(InstantSource.system());
        StoreKit.await(store.catalog().createBucket(bucket, 4));
        return new DocumentKeyspaces(
                store, name -> true, () -> null, ReadRoom.UNLIMITED, DocumentCache.ofHeap(InstantSource.system()));
    }

    @Override
    protected String bucket() {
        return bucket;
    }
}
