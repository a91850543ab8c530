package io.millrace.subdocservice.rest;

import io.millrace.documents.Catalog;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.DocumentStore.UnlockResult;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** A store whose writes wait until they are released, or fail a number of times. */
final class HeldStore implements DocumentStore {

    private final DocumentStore store;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger outages = new AtomicInteger();
    final Queue<Write> writes = new ConcurrentLinkedQueue<>();
    volatile boolean held;

    HeldStore(DocumentStore store) {
        this.store = store;
    }

    void release() {
        held = false;
        for (Runnable write = waiting.poll(); write != null; write = waiting.poll()) {
            write.run();
        }
    }

    @Override
    public DocumentStore with(SystemHandle handle) {
        return store.with(handle);
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        begun.incrementAndGet();
        writes.add(write);
        if (outages.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            return CompletableFuture.failedFuture(
                    DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is loading."));
        }
        if (!held) {
            return store.write(write);
        }
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        waiting.add(() -> store.write(write).thenAccept(answer::complete));
        return answer;
    }

    @Override
    public DocumentIndexes indexes() {
        return store.indexes();
    }

    @Override
    public Catalog catalog() {
        return store.catalog();
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
    public CompletableFuture<Instant> time(DocumentKey key) {
        return store.time(key);
    }

    @Override
    public CompletableFuture<Long> highSeqno(String bucket, int shard) {
        return store.highSeqno(bucket, shard);
    }

    @Override
    public CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request) {
        return store.page(bucket, shard, request);
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
