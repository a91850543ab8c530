package io.millrace.subdocservice.http;

import io.millrace.documents.Branch;
import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntPredicate;

/** A store whose writes take another way; all else is that of the store. */
final class FollowedStore implements DocumentStore {

    private final DocumentStore store;
    private final Function<Write, CompletableFuture<WriteResult>> writer;

    FollowedStore(DocumentStore store, Function<Write, CompletableFuture<WriteResult>> writer) {
        this.store = store;
        this.writer = writer;
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        return writer.apply(write);
    }

    @Override
    public Catalog catalog() {
        return store.catalog();
    }

    @Override
    public DocumentStore with(SystemHandle handle) {
        return store.with(handle);
    }

    @Override
    public DocumentIndexes indexes() {
        return store.indexes();
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        return store.get(key);
    }

    @Override
    public CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key) {
        return store.getWithTombstone(key);
    }

    @Override
    public CompletableFuture<Optional<Document>> getMetadata(DocumentKey key) {
        return store.getMetadata(key);
    }

    @Override
    public CompletableFuture<LockResult> lock(DocumentKey key, Instant until) {
        return store.lock(key, until);
    }

    @Override
    public CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas) {
        return store.unlock(key, lockCas);
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since, IntPredicate vbuckets) {
        return store.changes(bucket, shard, since, vbuckets);
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since) {
        return store.changes(bucket, shard, since);
    }

    @Override
    public CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request) {
        return store.page(bucket, shard, request);
    }

    @Override
    public BucketChanges inOrder(BucketInfo bucket) {
        return store.inOrder(bucket);
    }

    @Override
    public CompletableFuture<Long> highSeqno(String bucket, int shard) {
        return store.highSeqno(bucket, shard);
    }

    @Override
    public CompletableFuture<Instant> time(DocumentKey key) {
        return store.time(key);
    }

    @Override
    public CompletableFuture<Branch> branch(String bucket, int shard) {
        return store.branch(bucket, shard);
    }

    @Override
    public CompletableFuture<Boolean> restartsLoseNothing() {
        return store.restartsLoseNothing();
    }

    @Override
    public CompletableFuture<Long> backlog(String bucket, int shard, long since) {
        return store.backlog(bucket, shard, since);
    }

    @Override
    public CompletableFuture<Long> count(Keyspace keyspace) {
        return store.count(keyspace);
    }

    @Override
    public CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max) {
        return store.ids(keyspace, range, max);
    }

    @Override
    public CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max) {
        return store.idsDescending(keyspace, range, max);
    }

    @Override
    public CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range) {
        return store.countIds(keyspace, range);
    }

    @Override
    public CompletableFuture<Integer> expireDue(String bucket, int max) {
        return store.expireDue(bucket, max);
    }
}
