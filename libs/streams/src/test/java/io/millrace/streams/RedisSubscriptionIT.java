package io.millrace.streams;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.documents.redis.RedisKit;
import io.millrace.streams.store.StreamStore;
import java.time.InstantSource;

class RedisSubscriptionIT extends SubscriptionContract {

    private final RedisDocumentStore documents = RedisKit.shared().store(InstantSource.system());
    private final Keyspace keyspace = Keyspace.of(StoreKit.uniqueBucket());
    private final Keyspace other = Keyspace.of(StoreKit.uniqueBucket());
    private final StreamStore store;

    RedisSubscriptionIT() {
        StoreKit.await(documents.catalog().createBucket(keyspace.bucket(), 1));
        StoreKit.await(documents.catalog().createBucket(other.bucket(), 1));
        store = StreamStores.on(documents, keyspace);
    }

    @Override
    DocumentStore documents() {
        return documents;
    }

    @Override
    Keyspace keyspace() {
        return keyspace;
    }

    @Override
    Keyspace other() {
        return other;
    }

    @Override
    StreamStore store() {
        return store;
    }
}
