package io.millrace.worker.bindings;

import io.lettuce.core.RedisCommandExecutionException;
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
import io.millrace.documents.memory.MemoryDocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Documents in memory behind a connection that fails on demand. Writes take effect in the order in which they are sent,
 * or not at all, as on one connection to Redis.
 */
public final class FaultyStore implements DocumentStore {

    static final Keyspace TARGET = Keyspace.of("target");

    /** What becomes of a write. */
    public enum Fate {
        DONE,
        /** Does not happen, and the answer says so. */
        LOST,
        /** Happens, but the answer says that the outcome is unknown. */
        ANSWER_LOST,
        /** Does not happen, because the store is full. */
        FULL,
        REFUSED,
        /** A client has locked the document. */
        LOCKED
    }

    private final MemoryDocumentStore memory = new MemoryDocumentStore(InstantSource.system());
    private final Deque<Runnable> heldAnswers = new ArrayDeque<>();
    private Supplier<Fate> fates = () -> Fate.DONE;
    private boolean holding;
    private int sent;

    public FaultyStore() {
        memory.catalog().createBucket(TARGET.bucket(), 1).join();
    }

    /** Sets what happens to later writes. */
    public FaultyStore fates(Supplier<Fate> next) {
        fates = next;
        return this;
    }

    /** Keeps the answers of writes back until {@link #release}. */
    public synchronized void hold() {
        holding = true;
    }

    public synchronized void release() {
        holding = false;
        while (!heldAnswers.isEmpty()) {
            heldAnswers.remove().run();
        }
    }

    /** Returns how often a write was sent. */
    public int sent() {
        return sent;
    }

    public static DocumentKey key(String id) {
        return new DocumentKey(TARGET, id);
    }

    public static Write upsert(String id, String body) {
        return Write.upsert(key(id), body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a body as text, or "absent". */
    public String stored(String id) {
        return memory.get(key(id))
                .join()
                .map(document -> new String(document.body(), StandardCharsets.UTF_8))
                .orElse("absent");
    }

    /** Returns how many writes took effect. */
    long mutations() {
        return memory.highSeqno(TARGET.bucket(), 0).join() & ((1L << 42) - 1);
    }

    @Override
    public DocumentStore with(SystemHandle handle) {
        return memory.with(handle);
    }

    @Override
    public synchronized CompletableFuture<WriteResult> write(Write write) {
        sent++;
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        Fate fate = fates.get();
        CompletableFuture<WriteResult> done = fate == Fate.DONE || fate == Fate.ANSWER_LOST
                ? memory.write(write)
                : CompletableFuture.failedFuture(new IllegalStateException("not sent"));
        Runnable complete = () -> {
            switch (fate) {
                case DONE ->
                    done.whenComplete((result, failure) -> {
                        if (failure == null) {
                            answer.complete(result);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    });
                case LOST, ANSWER_LOST -> answer.completeExceptionally(away());
                case LOCKED -> answer.complete(new WriteResult.Locked(1));
                case FULL ->
                    answer.completeExceptionally(DocumentsException.of(
                            DocumentsException.Code.REFUSED,
                            "Redis refused the command",
                            new RedisCommandExecutionException("MISCONF Errors writing to the AOF file")));
                case REFUSED ->
                    answer.completeExceptionally(DocumentsException.of(
                            DocumentsException.Code.REFUSED, "The function is not running here any more."));
            }
        };
        if (holding) {
            heldAnswers.add(complete);
        } else {
            complete.run();
        }
        return answer;
    }

    private static DocumentsException away() {
        return DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis does not answer.");
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        Fate fate = fates.get();
        return fate == Fate.DONE ? memory.get(key) : CompletableFuture.failedFuture(away());
    }

    @Override
    public DocumentIndexes indexes() {
        return memory.indexes();
    }

    @Override
    public Catalog catalog() {
        return memory.catalog();
    }

    @Override
    public CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key) {
        return memory.getWithTombstone(key);
    }

    @Override
    public CompletableFuture<LockResult> lock(DocumentKey key, Instant until) {
        return memory.lock(key, until);
    }

    @Override
    public CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas) {
        return memory.unlock(key, lockCas);
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since, IntPredicate vbuckets) {
        return memory.changes(bucket, shard, since, vbuckets);
    }

    @Override
    public CompletableFuture<Instant> time(DocumentKey key) {
        return memory.time(key);
    }

    @Override
    public CompletableFuture<Long> highSeqno(String bucket, int shard) {
        return memory.highSeqno(bucket, shard);
    }

    @Override
    public CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request) {
        return memory.page(bucket, shard, request);
    }

    @Override
    public CompletableFuture<Long> backlog(String bucket, int shard, long since) {
        return memory.backlog(bucket, shard, since);
    }

    @Override
    public CompletableFuture<Long> count(Keyspace keyspace) {
        return memory.count(keyspace);
    }

    @Override
    public CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max) {
        return memory.ids(keyspace, range, max);
    }

    @Override
    public CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max) {
        return memory.idsDescending(keyspace, range, max);
    }

    @Override
    public CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range) {
        return memory.countIds(keyspace, range);
    }

    @Override
    public CompletableFuture<Integer> expireDue(String bucket, int max) {
        return memory.expireDue(bucket, max);
    }
}
