package io.millrace.worker.trial;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The buckets of a store, which a trial can read and not change. */
record ReadOnlyCatalog(Catalog below) implements Catalog {

    @Override
    public CompletableFuture<List<BucketInfo>> list() {
        return below.list();
    }

    @Override
    public CompletableFuture<Optional<BucketInfo>> find(String bucket) {
        return below.find(bucket);
    }

    static <T> CompletableFuture<T> refused(String what) {
        return CompletableFuture.failedFuture(
                DocumentsException.of(DocumentsException.Code.REFUSED, "A trial does not " + what));
    }

    @Override
    public CompletableFuture<BucketInfo> createBucket(String name, int shards) {
        return refused("create buckets");
    }

    @Override
    public CompletableFuture<Void> dropBucket(String name) {
        return refused("drop buckets");
    }

    @Override
    public CompletableFuture<BucketInfo> flushBucket(String name) {
        return refused("flush buckets");
    }

    @Override
    public CompletableFuture<BucketInfo> putSettings(String bucket, Map<String, String> settings) {
        return refused("change settings of buckets");
    }

    @Override
    public CompletableFuture<BucketInfo> createScope(String bucket, String scope) {
        return refused("create scopes");
    }

    @Override
    public CompletableFuture<BucketInfo> dropScope(String bucket, String scope) {
        return refused("drop scopes");
    }

    @Override
    public CompletableFuture<BucketInfo> createCollection(Keyspace keyspace) {
        return refused("create collections");
    }

    @Override
    public CompletableFuture<BucketInfo> dropCollection(Keyspace keyspace) {
        return refused("drop collections");
    }

    @Override
    public CompletableFuture<Boolean> createIndex(Keyspace keyspace, String index, String definition) {
        return refused("create indexes");
    }

    @Override
    public CompletableFuture<Boolean> replaceIndex(Keyspace keyspace, String index, String former, String definition) {
        return refused("change indexes");
    }

    @Override
    public CompletableFuture<Boolean> dropIndex(Keyspace keyspace, String index) {
        return refused("drop indexes");
    }
}
