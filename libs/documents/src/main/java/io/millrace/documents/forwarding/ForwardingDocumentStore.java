package io.millrace.documents.forwarding;

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
import java.util.function.IntPredicate;

/**
 * A store in front of another one. Every call goes to the one behind; a subclass overrides those that take another way.
 * {@link #with} returns what the store behind returns, without this one in front of it.
 */
public abstract class ForwardingDocumentStore implements DocumentStore {

    /** Returns the store behind, asked for at each call. */
    protected abstract DocumentStore behind();

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        return behind().write(write);
    }

    @Override
    public CompletableFuture<AtomicResult> writeAtomically(List<Write> writes) {
        return behind().writeAtomically(writes);
    }

    @Override
    public Catalog catalog() {
        return behind().catalog();
    }

    @Override
    public DocumentStore with(SystemHandle handle) {
        return behind().with(handle);
    }

    @Override
    public DocumentIndexes indexes() {
        return behind().indexes();
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        return behind().get(key);
    }

    @Override
    public CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key) {
        return behind().getWithTombstone(key);
    }

    @Override
    public CompletableFuture<Optional<Document>> getMetadata(DocumentKey key) {
        return behind().getMetadata(key);
    }

    @Override
    public CompletableFuture<LockResult> lock(DocumentKey key, Instant until) {
        return behind().lock(key, until);
    }

    @Override
    public CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas) {
        return behind().unlock(key, lockCas);
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since, IntPredicate vbuckets) {
        return behind().changes(bucket, shard, since, vbuckets);
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since) {
        return behind().changes(bucket, shard, since);
    }

    @Override
    public CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request) {
        return behind().page(bucket, shard, request);
    }

    @Override
    public BucketChanges inOrder(BucketInfo bucket) {
        return behind().inOrder(bucket);
    }

    @Override
    public CompletableFuture<Long> highSeqno(String bucket, int shard) {
        return behind().highSeqno(bucket, shard);
    }

    @Override
    public CompletableFuture<Instant> time(DocumentKey key) {
        return behind().time(key);
    }

    @Override
    public CompletableFuture<Branch> branch(String bucket, int shard) {
        return behind().branch(bucket, shard);
    }

    @Override
    public CompletableFuture<Boolean> restartsLoseNothing() {
        return behind().restartsLoseNothing();
    }

    @Override
    public CompletableFuture<Long> backlog(String bucket, int shard, long since) {
        return behind().backlog(bucket, shard, since);
    }

    @Override
    public CompletableFuture<Long> count(Keyspace keyspace) {
        return behind().count(keyspace);
    }

    @Override
    public CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max) {
        return behind().ids(keyspace, range, max);
    }

    @Override
    public CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max) {
        return behind().idsDescending(keyspace, range, max);
    }

    @Override
    public CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range) {
        return behind().countIds(keyspace, range);
    }

    @Override
    public CompletableFuture<Integer> expireDue(String bucket, int max) {
        return behind().expireDue(bucket, max);
    }
}
