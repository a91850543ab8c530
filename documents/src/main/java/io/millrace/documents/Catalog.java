package io.millrace.documents;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The buckets, scopes and collections of a store. Changes are seen by every process: at once where they were made,
 * elsewhere on the catalog's bell and at the latest after {@link Limits#SLOW_POLL}.
 */
public interface Catalog {

    CompletableFuture<List<BucketInfo>> list();

    CompletableFuture<Optional<BucketInfo>> find(String bucket);

    /** Fails with {@code BUCKET_EXISTS}, {@code INVALID_NAME} or {@code INVALID_SHARDS}. */
    CompletableFuture<BucketInfo> createBucket(String name, int shards);

    /** Removes a bucket and its documents; no deletions appear in its feed. Fails with {@code BUCKET_NOT_FOUND}. */
    CompletableFuture<Void> dropBucket(String name);

    /** Fails with {@code SCOPE_EXISTS}, {@code BUCKET_NOT_FOUND} or {@code INVALID_NAME}. */
    CompletableFuture<BucketInfo> createScope(String bucket, String scope);

    /** Removes a scope with its collections. The default scope stays: {@code INVALID_NAME}. */
    CompletableFuture<BucketInfo> dropScope(String bucket, String scope);

    /** Fails with {@code COLLECTION_EXISTS}, {@code SCOPE_NOT_FOUND} or {@code TOO_MANY_COLLECTIONS}. */
    CompletableFuture<BucketInfo> createCollection(Keyspace keyspace);

    /** Removes a collection and its documents; no deletions appear in the feed. */
    CompletableFuture<BucketInfo> dropCollection(Keyspace keyspace);
}
