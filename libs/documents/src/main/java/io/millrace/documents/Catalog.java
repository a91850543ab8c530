package io.millrace.documents;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The buckets, scopes and collections of a store. Changes are seen by every process: at once where they were made,
 * elsewhere on a notification and at the latest after {@link Limits#SLOW_POLL}.
 */
public interface Catalog {

    CompletableFuture<List<BucketInfo>> list();

    CompletableFuture<Optional<BucketInfo>> find(String bucket);

    /**
     * Creates a bucket with the default scope and collection. A bucket that has been dropped before comes back empty with
     * a greater incarnation: its seqnos go on, so that positions in the old feed stay valid. Fails with
     * {@code BUCKET_EXISTS}, {@code INVALID_NAME}, {@code INVALID_SHARDS} or {@code TOO_MANY_BUCKETS}.
     */
    CompletableFuture<BucketInfo> createBucket(String name, int shards);

    /** Removes a bucket and its documents, tombstones included; no deletions appear in its feed. Fails with {@code BUCKET_NOT_FOUND}. */
    CompletableFuture<Void> dropBucket(String name);

    /**
     * Removes all documents of a bucket, tombstones included; scopes, collections and indexes stay. No deletions appear in the
     * feed, and positions in it stay valid. Fails with {@code BUCKET_NOT_FOUND}.
     */
    CompletableFuture<BucketInfo> flushBucket(String name);

    /** Notes settings of a bucket in place of those that it has; they are forgotten with it. Fails with {@code BUCKET_NOT_FOUND}. */
    CompletableFuture<BucketInfo> putSettings(String bucket, Map<String, String> settings);

    /** Fails with {@code SCOPE_EXISTS}, {@code BUCKET_NOT_FOUND} or {@code INVALID_NAME}. */
    CompletableFuture<BucketInfo> createScope(String bucket, String scope);

    /** Removes a scope with its collections and their documents. The default scope stays: {@code INVALID_NAME}. */
    CompletableFuture<BucketInfo> dropScope(String bucket, String scope);

    /** Fails with {@code COLLECTION_EXISTS}, {@code SCOPE_NOT_FOUND} or {@code TOO_MANY_COLLECTIONS}. */
    CompletableFuture<BucketInfo> createCollection(Keyspace keyspace);

    /**
     * Removes a collection and its documents; no deletions appear in the feed. The default collection stays:
     * {@code INVALID_NAME}.
     */
    CompletableFuture<BucketInfo> dropCollection(Keyspace keyspace);

    /**
     * Notes an index of a collection. What it consists of is up to those who use it; it is forgotten with its collection.
     * False when there is one of this name, which stays as it is.
     */
    CompletableFuture<Boolean> createIndex(Keyspace keyspace, String index, String definition);

    /** Notes another definition of an index in place of one; false when it does not have that one. */
    CompletableFuture<Boolean> replaceIndex(Keyspace keyspace, String index, String former, String definition);

    /** Forgets an index; false when there is none of this name. */
    CompletableFuture<Boolean> dropIndex(Keyspace keyspace, String index);
}
