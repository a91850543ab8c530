package io.millrace.documents.memory;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.VBuckets;
import io.millrace.documents.store.BucketDescriptor;
import io.millrace.documents.store.Checks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The catalog of a {@link MemoryDocumentStore}; it holds the shards as well. */
final class MemoryCatalog implements Catalog {

    /**
     * A bucket and its shards, none when it is dropped.
     *
     * @param first the numbers that collections had before the bucket was flushed for the first time, by their numbers now
     */
    record Bucket(BucketDescriptor descriptor, List<MemoryShard> shards, Map<Integer, Integer> first) {

        Bucket(BucketDescriptor descriptor) {
            this(
                    descriptor,
                    Stream.generate(() -> new MemoryShard(descriptor.incarnation()))
                            .limit(descriptor.shards())
                            .toList(),
                    Map.of());
        }

        /** Returns the number of a collection, which a flush does not change here. */
        int lasting(int collection) {
            return first.getOrDefault(collection, collection);
        }

        private Bucket flushed() {
            BucketDescriptor fresh = descriptor.flushed();
            Map<Integer, Integer> lasting = new HashMap<>();
            for (int i = 0; i < fresh.numbers().size(); i++) {
                lasting.put(fresh.numbers().get(i), lasting(descriptor.numbers().get(i)));
            }
            return new Bucket(fresh, shards, lasting);
        }
    }

    /** Shared by the catalogs of all handles, and their lock. */
    private final Map<String, Bucket> buckets;

    private final Predicate<String> open;

    MemoryCatalog() {
        this(new TreeMap<>(), SystemHandle::isOrdinary);
    }

    private MemoryCatalog(Map<String, Bucket> buckets, Predicate<String> open) {
        this.buckets = buckets;
        this.open = open;
    }

    /** Returns the same catalog with other buckets open. */
    MemoryCatalog with(SystemHandle handle) {
        return new MemoryCatalog(buckets, handle::opens);
    }

    @Override
    public CompletableFuture<List<BucketInfo>> list() {
        return answer(() -> living().map(bucket -> bucket.descriptor.info()).toList());
    }

    @Override
    public CompletableFuture<Optional<BucketInfo>> find(String bucket) {
        return answer(() -> Optional.ofNullable(existing(bucket)).map(found -> found.descriptor.info()));
    }

    @Override
    public CompletableFuture<BucketInfo> createBucket(String name, int shards) {
        return answer(() -> {
            check(name);
            Bucket former = buckets.get(name);
            BucketDescriptor descriptor =
                    BucketDescriptor.create(name, shards, former == null ? null : former.descriptor);
            Checks.room(living().count());
            buckets.put(name, new Bucket(descriptor));
            return descriptor.info();
        });
    }

    @Override
    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    public CompletableFuture<Void> dropBucket(String name) {
        return answer(() -> {
            Bucket bucket = bucket(name);
            buckets.put(name, new Bucket(bucket.descriptor.drop(), List.of(), Map.of()));
            bucket.shards.forEach(MemoryShard::notifyReaders);
            return null;
        });
    }

    @Override
    public CompletableFuture<BucketInfo> flushBucket(String name) {
        return answer(() -> {
            Bucket flushed = bucket(name).flushed();
            buckets.put(name, flushed);
            flushed.shards.forEach(MemoryShard::clear);
            return flushed.descriptor.info();
        });
    }

    @Override
    public CompletableFuture<BucketInfo> putSettings(String bucket, Map<String, String> settings) {
        return change(bucket, descriptor -> descriptor.withSettings(settings));
    }

    @Override
    public CompletableFuture<BucketInfo> createScope(String bucket, String scope) {
        return change(bucket, descriptor -> descriptor.withScope(scope));
    }

    @Override
    public CompletableFuture<BucketInfo> dropScope(String bucket, String scope) {
        return change(bucket, descriptor -> descriptor.withoutScope(scope));
    }

    @Override
    public CompletableFuture<BucketInfo> createCollection(Keyspace keyspace) {
        return change(keyspace.bucket(), descriptor -> descriptor.withCollection(keyspace));
    }

    @Override
    public CompletableFuture<BucketInfo> dropCollection(Keyspace keyspace) {
        return change(keyspace.bucket(), descriptor -> descriptor.withoutCollection(keyspace));
    }

    @Override
    public CompletableFuture<Boolean> createIndex(Keyspace keyspace, String index, String definition) {
        synchronized (buckets) {
            return answer(() -> !bucket(keyspace).descriptor.indexes(keyspace).containsKey(index))
                    .thenCompose(absent -> absent
                            ? change(keyspace.bucket(), found -> found.withIndex(keyspace, index, definition))
                                    .thenApply(info -> true)
                            : CompletableFuture.completedFuture(false));
        }
    }

    @Override
    public CompletableFuture<Boolean> dropIndex(Keyspace keyspace, String index) {
        synchronized (buckets) {
            return answer(() -> bucket(keyspace).descriptor.indexes(keyspace).containsKey(index))
                    .thenCompose(present -> present
                            ? change(keyspace.bucket(), found -> found.withoutIndex(keyspace, index))
                                    .thenApply(info -> true)
                            : CompletableFuture.completedFuture(false));
        }
    }

    @Override
    public CompletableFuture<Boolean> replaceIndex(Keyspace keyspace, String index, String former, String definition) {
        synchronized (buckets) {
            return answer(() -> former.equals(
                            bucket(keyspace).descriptor.indexes(keyspace).get(index)))
                    .thenCompose(same -> same
                            ? change(keyspace.bucket(), found -> found.withIndex(keyspace, index, definition))
                                    .thenApply(info -> true)
                            : CompletableFuture.completedFuture(false));
        }
    }

    private CompletableFuture<BucketInfo> change(String name, UnaryOperator<BucketDescriptor> step) {
        return answer(() -> {
            Bucket bucket = bucket(name);
            BucketDescriptor changed = step.apply(bucket.descriptor);
            BucketInfo info = changed.info();
            buckets.put(name, new Bucket(changed, bucket.shards, bucket.first));
            bucket.shards.forEach(shard -> shard.retain(info::has));
            return info;
        });
    }

    Bucket bucket(String name) {
        synchronized (buckets) {
            Bucket bucket = existing(name);
            if (bucket == null) {
                throw DocumentsException.bucketNotFound(name);
            }
            return bucket;
        }
    }

    /** Returns the bucket of a keyspace, which exists. */
    Bucket bucket(Keyspace keyspace) {
        Bucket bucket = bucket(keyspace.bucket());
        bucket.descriptor.collection(keyspace);
        return bucket;
    }

    MemoryShard shard(DocumentKey key) {
        Bucket bucket = bucket(key.keyspace());
        return bucket.shards.get(VBuckets.shardOf(key.vbucket(), bucket.shards.size()));
    }

    MemoryShard shard(String name, int shard) {
        Bucket bucket = bucket(name);
        Checks.shardOf(bucket.descriptor, shard);
        return bucket.shards.get(shard);
    }

    private void check(String name) {
        if (!open.test(name)) {
            throw DocumentsException.systemBucket(name);
        }
    }

    private @Nullable Bucket existing(String name) {
        check(name);
        Bucket bucket = buckets.get(name);
        return bucket == null || bucket.descriptor.dropped() ? null : bucket;
    }

    private Stream<Bucket> living() {
        return buckets.values().stream()
                .filter(bucket -> !bucket.descriptor.dropped())
                .filter(bucket -> open.test(bucket.descriptor.name()));
    }

    private <T> CompletableFuture<T> answer(Supplier<T> work) {
        synchronized (buckets) {
            return MemoryDocumentStore.answer(work);
        }
    }
}
