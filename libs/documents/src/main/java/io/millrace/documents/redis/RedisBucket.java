package io.millrace.documents.redis;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.VBuckets;
import io.millrace.documents.store.BucketDescriptor;
import io.millrace.redis.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A bucket of the catalog with everything about its keys worked out, for the hot paths. */
final class RedisBucket {

    /**
     * @param number as bytes, the head of every ref
     * @param counter the field that counts its living documents
     */
    record Collection(Keyspace keyspace, byte[] number, byte[] counter) {}

    /** Where a document of a collection is to be found. */
    record Place(RedisBucket bucket, Collection collection, Keys.Shard shard) {}

    final BucketDescriptor descriptor;
    final BucketInfo info;

    /** What functions compare with the gate of a shard: the incarnation, and the format of documents. */
    final byte[] gate;

    private final Map<Keyspace, Collection> byName = new HashMap<>();
    private final Map<Integer, Collection> byNumber = new HashMap<>();
    private final AtomicReferenceArray<Keys.@Nullable Shard> shards;

    RedisBucket(BucketDescriptor descriptor) {
        this.descriptor = descriptor;
        this.info = descriptor.info();
        this.gate = Bytes.bytes(descriptor.incarnation() + "/" + BucketDescriptor.FORMAT);
        this.shards = new AtomicReferenceArray<>(descriptor.shards());
        descriptor
                .scopes()
                .forEach((scope, collections) -> collections.forEach((name, number) -> {
                    Keyspace keyspace = new Keyspace(descriptor.name(), scope, name);
                    Collection collection = new Collection(keyspace, Bytes.bytes(number), Keys.counter(number));
                    byName.put(keyspace, collection);
                    byNumber.put(number, collection);
                }));
    }

    @Nullable
    Collection collection(Keyspace keyspace) {
        return byName.get(keyspace);
    }

    /** Returns a collection, or throws what is not there. */
    Collection require(Keyspace keyspace) {
        Collection collection = byName.get(keyspace);
        if (collection == null) {
            descriptor.collection(keyspace);
            throw DocumentsException.collectionNotFound(keyspace);
        }
        return collection;
    }

    @Nullable
    Collection collection(int number) {
        return byNumber.get(number);
    }

    /** Returns where a document is to be found, or null when there is no such collection. */
    @Nullable
    Place place(DocumentKey key) {
        Collection collection = byName.get(key.keyspace());
        return collection == null ? null : place(key, collection);
    }

    Place place(DocumentKey key, Collection collection) {
        int count = descriptor.shards();
        int number = count == 1 ? 0 : VBuckets.shardOf(key.vbucket(), count);
        return new Place(this, collection, shard(number));
    }

    Keys.Shard shard(int number) {
        Keys.Shard shard = shards.get(number);
        if (shard == null) {
            shard = Keys.Shard.of(descriptor.name(), number);
            shards.set(number, shard);
        }
        return shard;
    }
}
